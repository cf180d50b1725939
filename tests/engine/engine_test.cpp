#include "engine/engine.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/engines.h"
#include "support/failure.h"
#include "support/goldens.h"
#include "support/model_copy.h"

using namespace vsr;
using base::Status;
using test::distance;
using test::Failure;
using test::failure_of;
using test::row;

namespace {

double length(const std::vector<float>& vector) {
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  return std::sqrt(squares);
}

// Ten megabytes that are few tokens: words too long for the vocabulary between known ones.
std::string ten_megabytes() {
  const std::string piece = std::string(196, 'x') + " my ";
  std::string text;
  text.reserve(10'000'000);
  while (text.size() < 10'000'000) text += piece;
  return text;
}

}  // namespace

TEST_CASE("engine: options without a model, or with two of one name, are rejected", "[engine]") {
  CHECK(failure_of([] { engine::Engine::open({}); }) ==
        Failure{Status::kInvalidArgument, "no model is given, neither in models nor in a config file"});
  engine::EngineOptions twice = test::engine_options({"bert-token", "bert-token"});
  CHECK(failure_of([&] { engine::Engine::open(twice); }) ==
        Failure{Status::kInvalidArgument, "two models are named \"bert-token\""});
  twice.models[1].name = "other";
  CHECK(engine::Engine::open(twice)->tokenizer("other") != nullptr);
  engine::EngineOptions threads = test::engine_options({"bert-token"});
  threads.threads = -1;
  CHECK(failure_of([&] { engine::Engine::open(threads); }).status == Status::kInvalidArgument);
}

TEST_CASE("engine: a model without a name has that of its folder", "[engine]") {
  engine::EngineOptions options = test::engine_options({"bert-token"});
  options.models[0].name.clear();
  options.models[0].path += "/";
  const auto engine = engine::Engine::open(options);
  CHECK(engine->tokenizer("bert-token") != nullptr);
  const auto json = nlohmann::json::parse(engine->describe());
  CHECK(json.at("models").at(0).at("name") == "bert-token");
  CHECK(json.at("models").at(0).at("max_tokens") == 40);
  CHECK(json.at("tasks").size() == 2);
}

TEST_CASE("engine: an empty list gives an empty result", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding", "bert-sequence", "bert-token"});
  const engine::Result vectors = engine->embed({}, {.task = "bert-embedding"});
  CHECK(vectors.rows == 0);
  CHECK(vectors.cols == 32);
  CHECK(vectors.values.empty());
  const engine::Result probs = engine->classify({}, {});
  CHECK(probs.rows == 0);
  CHECK(probs.labels.size() == 3);
  CHECK(engine->entities({}, {}).entities.empty());
}

TEST_CASE("engine: an empty text is encoded like any other", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  const std::string_view empty;
  const engine::Result result = engine->embed({&empty, 1}, {});
  CHECK(length(result.values) == Approx(1));
  CHECK(result.usage.at(0).tokens == 2);
  CHECK(result.usage.at(0).windows == 1);
  const std::string_view blank = " \t\n ";
  CHECK(engine->embed({&blank, 1}, {}).values == result.values);
}

TEST_CASE("engine: a text without a token is an error that says which", "[engine]") {
  const auto engine = test::open_goldens({"qwen3-generate"});  // its tokenizer adds none
  const std::vector<std::string> texts{"a", ""};
  const auto failure = test::failure_of([&] { engine->embed(test::views(texts), {}); });
  CHECK(failure.status == base::Status::kInvalidArgument);
  CHECK(failure.message.find("texts[1]: has no tokens") == 0);
}

TEST_CASE("engine: NULs and bytes that are not UTF-8 are read, and the latter reported", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  const std::vector<std::string> texts{std::string("card\0bank", 9), "card \xFF\xFE bank", "card \xEF\xBF\xBD bank",
                                       std::string(1000, '\xFF'), std::string(1000, '\0')};
  const engine::Result result = engine->embed(test::views(texts), {});
  CHECK(result.usage[0].replaced_bytes == 0);
  CHECK(result.usage[1].replaced_bytes == 2);
  CHECK(result.usage[2].replaced_bytes == 0);
  CHECK(result.usage[3].replaced_bytes == 1000);
  for (size_t i = 0; i < texts.size(); ++i) CHECK(length(row(result, i)) == Approx(1));
}

TEST_CASE("engine: offsets of entities are bytes of the caller's text, malformed or not", "[engine]") {
  const auto engine = test::open_goldens({"bert-token-plain"});
  const std::string clean =
      "Caf\xC3\xA9 in Strasse 12, \xC3\x86r\xC3\xB8: \xC2\xA3"
      "5 na\xC3\xAFve \xC3\x89 \xC3\xA9";
  const std::string broken = "\xFF " + clean;
  const std::vector<std::string> texts{clean, broken, "\xE2\x82 \xF0\x9F\x99\x82 caf\xC3\xA9"};
  const engine::Result result = engine->entities(test::views(texts), {.threshold = 0.01F});
  REQUIRE(!result.entities.empty());
  for (const engine::Entity& entity : result.entities) {
    REQUIRE(entity.text < texts.size());
    CHECK(entity.begin < entity.end);
    CHECK(entity.end <= texts[entity.text].size());
    const auto byte = static_cast<unsigned char>(texts[entity.text][entity.begin]);
    CHECK((byte & 0xC0) != 0x80);  // never inside a character
    CHECK(result.labels.at(entity.label) != "O");
  }
}

TEST_CASE("engine: ten megabytes are read in windows, nothing is dropped", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding", "bert-sequence", "bert-token"});
  const std::string text = ten_megabytes();
  const std::string_view view = text;
  const engine::Result vector = engine->embed({&view, 1}, {.task = "bert-embedding"});
  CHECK(vector.usage[0].tokens == 100'002);
  CHECK(vector.usage[0].windows == 9090);  // of 22 tokens, 11 apart
  CHECK(vector.usage[0].dropped == 0);
  CHECK(length(vector.values) == Approx(1));
  const engine::TextPair input{view, std::nullopt};
  const engine::Result probs = engine->classify({&input, 1}, {});
  CHECK(probs.values[0] + probs.values[1] + probs.values[2] == Approx(1));
  CHECK(engine->token_probs(view, {}).rows == 100'002);
}

TEST_CASE("engine: of a pair the longer side is windowed, and a long shorter side is an error", "[engine]") {
  const auto engine = test::open_goldens({"bert-sequence"});
  const std::string longer =
      "how can i pay with my lost card how can i pay with my lost card how can i pay with my card "
      "how can i pay with my lost card how can i pay with my lost card";
  const std::vector<engine::TextPair> pairs{{"hello", longer}, {longer, "hello"}};
  const engine::Result result = engine->classify(pairs, {});
  CHECK(result.usage[0].windows > 1);
  CHECK(result.usage[0].windows == result.usage[1].windows);
  CHECK(row(result, 0) != row(result, 1));
  const engine::TextPair both{longer, longer};
  const Failure failure = failure_of([&] { engine->classify({&both, 1}, {}); });
  CHECK(failure.status == Status::kLimit);
  CHECK(failure.message.find("texts[0]: the shorter side of the pair has") == 0);
}

TEST_CASE("engine: max_tokens rejects a longer text by its index", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding", "bert-sequence", "bert-token"});
  const std::vector<std::string> texts{"hello", "where is my card ?"};
  const Failure expected{Status::kLimit, "texts[1]: text has 7 tokens, max_tokens is 6"};
  const auto pairs = test::single(texts);
  CHECK(failure_of([&] {
          engine->embed(test::views(texts), {.task = "bert-embedding", .limits = {.max_tokens = 6}});
        }) == expected);
  CHECK(failure_of([&] { engine->classify(pairs, {.limits = {.max_tokens = 6}}); }) == expected);
  CHECK(failure_of([&] { engine->entities(test::views(texts), {.limits = {.max_tokens = 6}}); }) == expected);
  CHECK(failure_of([&] { engine->token_probs(texts[1], {.limits = {.max_tokens = 6}}); }).status == Status::kLimit);
  CHECK(engine->classify(pairs, {.limits = {.max_tokens = 7}}).rows == 2);
}

TEST_CASE("engine: dim and layer are checked against the model", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  const std::string_view text = "hello";
  const auto embed = [&](int64_t dim, int64_t layer) {
    return failure_of([&] { engine->embed({&text, 1}, {.dim = dim, .layer = layer}); });
  };
  CHECK(embed(33, 0) == Failure{Status::kInvalidArgument, "dim is 33, expected 1 to 32, or 0 for all"});
  CHECK(embed(-1, 0).status == Status::kInvalidArgument);
  CHECK(embed(0, 4) == Failure{Status::kInvalidArgument, "layer is 4, expected 1 to 3, or 0 for all"});
  CHECK(embed(0, -1).status == Status::kInvalidArgument);
  const engine::Result all = engine->embed({&text, 1}, {});
  CHECK(engine->embed({&text, 1}, {.dim = 32, .layer = 3}).values == all.values);
  const engine::Result one = engine->embed({&text, 1}, {.dim = 1});
  CHECK(one.cols == 1);
  CHECK(std::abs(one.values[0]) == Approx(1));
  CHECK(distance(engine->embed({&text, 1}, {.dim = 5, .normalize = false}).values,
                 std::vector<float>(all.values.begin(), all.values.begin() + 5)) < 1e-6);
}

TEST_CASE("engine: prompts are found by name, and never together with an instruction", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  const std::string_view text = "hello";
  const auto embed = [&](const engine::EmbedOptions& options) {
    return failure_of([&] { engine->embed({&text, 1}, options); });
  };
  const Failure unknown = embed({.prompt = "qwery"});
  CHECK(unknown.status == Status::kNotFound);
  CHECK(unknown.message.find("prompt \"qwery\" does not exist; ") == 0);
  CHECK(unknown.message.find("\"document\", \"query\"") != std::string::npos);
  CHECK(embed({.prompt = "query", .instruction = "x"}).status == Status::kInvalidArgument);
  const auto bare = test::open_goldens({"bert-no-pooler"});
  CHECK(failure_of([&] {
          bare->embed({&text, 1}, {.prompt = "query"});
        }).message.find("has none") != std::string::npos);
}

TEST_CASE("engine: the default prompt is used unless another is named", "[engine]") {
  const test::ModelCopy copy("bert-embedding");
  copy.set("config_sentence_transformers.json", "default_prompt_name", "query");
  const auto prompted = engine::Engine::open({.config_path = "", .models = {{"m", copy.path()}}});
  const auto plain = test::open_goldens({"bert-embedding"});
  const std::string_view text = "where is my card";
  CHECK(prompted->embed({&text, 1}, {}).values == plain->embed({&text, 1}, {.prompt = "query"}).values);
  CHECK(prompted->embed({&text, 1}, {.prompt = "document"}).values == plain->embed({&text, 1}, {}).values);
  CHECK(prompted->embed({&text, 1}, {.instruction = ""}).values == plain->embed({&text, 1}, {}).values);
}

TEST_CASE("engine: tasks are found by kind and name, and errors list them", "[engine]") {
  const auto engine = test::open_goldens({"bert-sequence", "bert-sequence-multilabel", "bert-embedding"});
  const engine::TextPair text{"hello", std::nullopt};
  const auto classify = [&](const std::string& task) {
    return failure_of([&] { engine->classify({&text, 1}, {.task = task}); });
  };
  CHECK(classify("bert-sequence") == Failure{});
  CHECK(classify("") == Failure{Status::kInvalidArgument,
                                "task is NULL, and there are several for sequence_classification: \"bert-sequence\", "
                                "\"bert-sequence-multilabel\""});
  CHECK(classify("none").status == Status::kNotFound);
  CHECK(classify("none").message.find("task \"none\" does not exist") == 0);
  CHECK(classify("bert-embedding").status == Status::kUnsupported);
  CHECK(failure_of([&] { engine->token_probs("hello", {}); }).status == Status::kUnsupported);
  CHECK(failure_of([&] { engine->tokenizer(""); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { engine->tokenizer("none"); }).status == Status::kNotFound);
  CHECK(engine->embedding_dim("bert-embedding") == 32);
}

TEST_CASE("engine: an entity threshold out of range is an error, NaN included", "[engine]") {
  const auto engine = test::open_goldens({"bert-token"});
  const std::string_view text = "hello";
  for (const float threshold : {0.0F, -0.5F, 1.5F, std::nanf(""), INFINITY}) {
    CAPTURE(threshold);
    CHECK(failure_of([&] {
            engine->entities({&text, 1}, {.threshold = threshold});
          }).status == Status::kInvalidArgument);
  }
}

TEST_CASE("engine: progress counts whole texts and can cancel at every point", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  std::vector<std::string> texts;
  for (int i = 0; i < 2600; ++i) texts.push_back(i % 7 == 0 ? "book a flight to paris " : "hello card");
  texts[20] = std::string(3000, 'x') + " ";
  for (int i = 0; i < 300; ++i) texts[600] += " my card is lost";
  std::vector<size_t> calls;
  const auto watch = [&](size_t done, size_t total) {
    CHECK(total == texts.size());
    calls.push_back(done);
    return false;
  };
  const engine::Result whole = engine->embed(test::views(texts), {.limits = {.progress = watch}});
  // How many batches there are, which texts are done first, and how many of a block the caller hears of at once is up
  // to the scheduler. It hears of each of the six blocks (kTextsPerBlock).
  REQUIRE(calls.size() > 5);
  CHECK(std::is_sorted(calls.begin(), calls.end()));
  CHECK(calls.back() == texts.size());
  size_t cancelled = 0;
  for (;; ++cancelled) {
    size_t seen = 0;
    size_t last = 0;
    const auto stop = [&](size_t done, size_t) {
      last = done;
      return seen++ == cancelled;
    };
    const Failure failure = failure_of([&] { engine->embed(test::views(texts), {.limits = {.progress = stop}}); });
    if (!failure.status) break;
    CHECK(failure == Failure{Status::kCancelled,
                             "cancelled by the progress callback after " + std::to_string(last) + " of 2600 texts"});
    CHECK(seen == cancelled + 1);
  }
  CHECK(cancelled > 3);
  CHECK(test::distance(engine->embed(test::views(texts), {}).values, whole.values) < 1e-6);
}

TEST_CASE("engine: what a progress callback throws reaches the caller", "[engine]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  const std::string_view text = "hello";
  const base::CallLimits::Progress broken = [](size_t, size_t) -> bool { throw std::runtime_error("callback"); };
  CHECK_THROWS_WITH(engine->embed({&text, 1}, {.limits = {.progress = broken}}), "callback");
  CHECK(engine->embed({&text, 1}, {}).rows == 1);
}

TEST_CASE("engine: a row does not depend on its neighbours", "[engine]") {
  const auto engine = test::open_goldens({"bert-sequence"});
  std::vector<std::string> texts;
  for (size_t i = 0; i < 600; ++i) {
    std::string text;
    for (size_t word = 0; word < i * 7919 % 61; ++word) text += word % 3 == 0 ? "card " : "lost , ";
    texts.push_back(text + std::to_string(i));
  }
  const auto inputs = test::single(texts);
  const engine::Result together = engine->classify(inputs, {});
  for (size_t i = 0; i < texts.size(); i += 37) {
    CHECK(distance(engine->classify({&inputs[i], 1}, {}).values, row(together, i)) <= 1e-6);
  }
}

TEST_CASE("engine: fingerprints tell weights, config, pooling and name apart", "[engine]") {
  const auto fingerprint = [](const test::ModelCopy& copy, const std::string& name = "m") {
    return engine::Engine::open({.config_path = "", .models = {{name, copy.path()}}})->embedding_fingerprint("");
  };
  std::set<std::string> seen;
  const test::ModelCopy same("bert-embedding");
  CHECK(fingerprint(same).find("m dim=32 weights=") == 0);
  CHECK(fingerprint(same) == fingerprint(test::ModelCopy("bert-embedding")));
  seen.insert(fingerprint(same));
  seen.insert(fingerprint(same, "n"));
  const test::ModelCopy config("bert-embedding");
  config.set("config.json", "hidden_act", "relu");
  seen.insert(fingerprint(config));
  const test::ModelCopy pooling("bert-embedding");
  pooling.write("1_Pooling/config.json", R"({"pooling_mode": "cls"})");
  seen.insert(fingerprint(pooling));
  const test::ModelCopy weights("bert-embedding");
  weights.edit_tensors([](test::StoredTensors& t) { t.bytes("embeddings.LayerNorm.bias")[0] ^= 1; });
  seen.insert(fingerprint(weights));
  CHECK(seen.size() == 5);
}
