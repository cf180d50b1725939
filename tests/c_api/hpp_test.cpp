// vsr.hpp: the C++ values over the C interface.
#include <array>
#include <list>

#include "support/handles.h"
#include "vsr/vsr.hpp"

using vsr::test::tiny;

namespace {

const vsr::Model& model() {
  static const auto& loaded = *new vsr::Model(tiny("bert-embedding"));
  return loaded;
}

template <class Body>
vsr_status code_of(Body&& body) {
  try {
    body();
  } catch (const vsr::Error& error) {
    CHECK(std::string(error.what()).size() > 5);
    return error.code();
  }
  return VSR_OK;
}

}  // namespace

TEST_CASE("vsr.hpp: texts come as a list or any range of strings", "[c_api]") {
  const std::vector<std::string> strings = {"where is my card?", "book a flight"};
  const std::list<std::string_view> views(strings.begin(), strings.end());
  const std::array<const char*, 2> pointers = {strings[0].c_str(), strings[1].c_str()};
  const vsr::Result expected = model().embed({"where is my card?", "book a flight"});
  for (const vsr::Result& result : {model().embed(strings), model().embed(views), model().embed(pointers)}) {
    REQUIRE(result.rows() == 2);
    CHECK(std::vector<float>(result.row(1).begin(), result.row(1).end()) ==
          std::vector<float>(expected.row(1).begin(), expected.row(1).end()));
  }
  CHECK(model().embed({}).rows() == 0);
  CHECK(model().embed({std::string_view("a\0b", 3)}).usage(0).tokens >= 3);
  CHECK(expected.row(2).empty());
}

TEST_CASE("vsr.hpp: errors carry code and message", "[c_api]") {
  CHECK(code_of([] { vsr::Model("/nowhere/model"); }) == VSR_ERR_NOT_FOUND);
  CHECK(code_of([] { vsr::Model(std::string("a\0b", 3)); }) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(code_of([] { model().classify({"a"}); }) == VSR_ERR_UNSUPPORTED);
  CHECK(code_of([] { model().similarity({"a"}, {"a", "b"}); }) == VSR_ERR_INVALID_ARGUMENT);
  vsr::EmbedOptions options;
  options.dim = -3;
  CHECK(code_of([&] { model().embed({"a"}, options); }) == VSR_ERR_INVALID_ARGUMENT);
}

TEST_CASE("vsr.hpp: a moved-from engine is not the default one", "[c_api]") {
  vsr::init({{{"", tiny("bert-embedding"), "", ""}}, "", 0});
  vsr::Model first(tiny("bert-embedding"));
  const vsr::Model second(std::move(first));
  CHECK(code_of([&] { first.embed({"a"}); }) == VSR_ERR_INVALID_ARGUMENT);
  CHECK(second.embed({"a"}).rows() == 1);
  CHECK(vsr::Engine::default_engine().embed({"a"}).rows() == 1);
  vsr::shutdown();
  CHECK(code_of([] { vsr::Engine::default_engine().embed({"a"}); }) == VSR_ERR_STATE);
}

TEST_CASE("vsr.hpp: classification and entities", "[c_api]") {
  const vsr::Model sequence(tiny("bert-sequence"));
  const vsr::Result result = sequence.classify({"where is my card?", "book a flight"});
  const vsr::Classification first = result.classification(0);
  CHECK(first.probs.size() == 3);
  CHECK(first.score == first.probs[first.label_id]);
  CHECK(first.label == result.label(first.label_id));
  CHECK(first.usage.tokens == 7);
  CHECK_THROWS_AS(result.classification(2), std::out_of_range);
  CHECK(sequence.classify_pairs({"where"}, {"my card"}).rows() == 1);
  const vsr::Model token(tiny("bert-token"));
  CHECK(token.token_probs("where is my card?").rows() == 7);
  vsr::ClassifyOptions options;
  options.threshold = 0.01f;
  const std::string text = "Maria lives in Paris";
  const vsr::Result tagged = token.entities({text}, options);
  for (const vsr::Entity& entity : tagged.entities()) CHECK(entity.end <= text.size());
  CHECK(token.token_probs_of_pair("where is", "my card?").rows() == 8);
  const vsr::Result pairs = token.entities_of_pairs({"where is my card?", ""}, {"", text}, options);
  REQUIRE_FALSE(pairs.entities().empty());
  for (const vsr::Entity& entity : pairs.entities()) CHECK((entity.text == 1 && entity.end <= text.size()));
  CHECK(code_of([&] { token.entities_of_pairs({text}, {}); }) == VSR_ERR_INVALID_ARGUMENT);
}

TEST_CASE("vsr.hpp: what a progress callback throws reaches the caller", "[c_api]") {
  const std::vector<std::string> texts(100, "where is my card?");
  vsr::EmbedOptions options;
  options.progress = [](size_t, size_t) -> bool { throw std::logic_error("enough"); };
  CHECK_THROWS_AS(model().embed(texts, options), std::logic_error);
  options.progress = [](size_t, size_t) { return true; };
  CHECK(code_of([&] { model().embed(texts, options); }) == VSR_ERR_CANCELLED);
  size_t last = 0;
  options.progress = [&](size_t done, size_t) {
    last = done;
    return false;
  };
  CHECK(model().embed(texts, options).rows() == 100);
  CHECK(last == 100);
}

TEST_CASE("vsr.hpp: tokenizer, similarity and intents", "[c_api]") {
  const vsr::Tokenizer tokenizer = model().tokenizer();
  const vsr::Encoding encoding = tokenizer.encode("where is my card");
  CHECK(encoding.token(1) == "where");
  CHECK(encoding.offsets().size() == 2 * encoding.size());
  CHECK(tokenizer.decode(encoding.ids(), true) == "where is my card");
  CHECK(tokenizer.encode("where", "my card").sides()[4] == 1);
  CHECK(vsr::Tokenizer(tiny("bert-embedding")).vocab_size() == tokenizer.vocab_size());
  CHECK(model().similarity({"card"}, {"card"})[0] == Approx(1.0f).margin(1e-5));
  CHECK(model().similarity_matrix({"card", "hotel"}, {"card"}).size() == 2);
  const auto nearest = model().nearest("card", {"hotel", "card"}, 9);
  REQUIRE(nearest.size() == 2);
  CHECK(nearest[0].index == 1);
  CHECK_THAT(model().describe(), Catch::Contains("\"bert-embedding\""));

  vsr::IntentsOptions options;
  options.threshold = -1;
  options.rule = vsr::Rule::kBest;
  vsr::Intents intents(model(), options);
  intents.add("card", {"where is my card?"});
  intents.add("travel", {"book a flight"}, 1.0f);
  const vsr::Matches matches = intents.route({"where is my card?", "hello"});
  REQUIRE(matches.size() == 2);
  CHECK(matches[0].label == "card");
  CHECK_THAT(intents.describe(), Catch::Contains("travel"));
  intents.remove("travel");
  CHECK(code_of([&] { intents.remove("travel"); }) == VSR_ERR_NOT_FOUND);
}
