// vsr.hpp: adapters, and many tasks in one call.
#include <stdexcept>

#include "support/adapters.h"
#include "vsr/vsr.hpp"

using vsr::test::tiny;
using vsr::test::tiny_adapter;

namespace {

vsr::Engine open() {
  vsr::EngineOptions options;
  options.models = {{"", tiny("bert-embedding"), "", ""}};
  options.adapters = {{"topic", tiny_adapter("bert-last-layer"), ""}, {"names", tiny_adapter("bert-token"), ""}};
  return vsr::Engine(options);
}

template <class Body>
vsr_status code_of(Body&& body) {
  try {
    body();
  } catch (const vsr::Error& error) {
    return error.code();
  }
  return VSR_OK;
}

}  // namespace

TEST_CASE("vsr.hpp: many tasks answer by place and by name", "[c_api]") {
  const vsr::Engine engine = open();
  const std::vector<std::string> texts = {"where is my card?", "book a flight"};
  const vsr::MultiResult all = engine.classify_all(texts, {"topic", "names", "bert-embedding"});
  REQUIRE(all.size() == 3);
  CHECK(all[0].task() == "topic");
  CHECK(all[0].path() == vsr::Path::kLora);
  CHECK(all["bert-embedding"].path() == vsr::Path::kStandard);
  CHECK(all["names"].kind() == vsr::TaskKind::kTokenClassification);
  vsr::ClassifyOptions options;
  options.task = "topic";
  const vsr::Result alone = engine.classify(texts, options);
  CHECK(all["topic"].result().classification(1).label == alone.classification(1).label);
  CHECK(all["topic"].result().classification(1).score == Approx(alone.classification(1).score).margin(1e-6));
  CHECK(all["bert-embedding"].result().cols() == 32);
  REQUIRE(all.passes().size() == 1);
  CHECK(all.passes()[0].tasks.size() == 3);
  CHECK(all.passes()[0].blocks == 3);
  CHECK_THROWS_AS(all[3], std::out_of_range);
  CHECK(code_of([&] { all["weather"]; }) == VSR_ERR_NOT_FOUND);
  CHECK(engine.classify_all(texts).size() == 2);
  CHECK(engine.classify_all(texts, std::vector<std::string>()).size() == 0);
}

TEST_CASE("vsr.hpp: a failed task throws where its result is asked for", "[c_api]") {
  const vsr::Engine engine = open();
  const vsr::MultiResult all = engine.classify_all_pairs({"where"}, {"is my card"}, {"names", "topic"});
  CHECK(!all["names"].ok());
  CHECK(all["names"].status() == VSR_ERR_UNSUPPORTED);
  CHECK(code_of([&] { all["names"].result(); }) == VSR_ERR_UNSUPPORTED);
  CHECK(all["topic"].ok());
  CHECK(all["topic"].message().empty());
  CHECK(all["topic"].result().rows() == 1);
}

TEST_CASE("vsr.hpp: a result of a task outlives the call's", "[c_api]") {
  const vsr::Result topic = open().classify_all({"where is my card?"}, {"topic"})[0].result();
  CHECK(topic.classification(0).probs.size() == 3);
}

TEST_CASE("vsr.hpp: a text that was not read is no classification", "[c_api]") {
  vsr::MultiOptions options;
  options.wanted = {1, 0};
  const vsr::Engine engine = open();
  const vsr::Result topic = engine.classify_all({"where is my card?", "book"}, {"topic"}, options)[0].result();
  CHECK(topic.classification(0).probs.size() == 3);
  CHECK(topic.usage(1).windows == 0);
  CHECK_THROWS_AS(topic.classification(1), std::out_of_range);
  options.wanted = {1};
  CHECK(code_of([&] { engine.classify_all({"a", "b"}, {"topic"}, options); }) == VSR_ERR_INVALID_ARGUMENT);
}

TEST_CASE("vsr.hpp: adapters come and go, and vectors of a pass route to intents", "[c_api]") {
  vsr::Model model(tiny("bert-embedding"));
  model.load_adapter({"topic", tiny_adapter("bert-last-layer"), ""});
  CHECK(code_of([&] { model.load_adapter({"topic", tiny_adapter("bert-patterns"), ""}); }) == VSR_ERR_INVALID_ARGUMENT);
  model.load_adapter({"topic", tiny_adapter("bert-patterns"), ""}, true);
  vsr::Intents intents(model);
  intents.add("card", {"where is my card?"});
  const vsr::MultiResult all = model.classify_all({"where is my card?"}, {"topic", "bert-embedding"});
  CHECK(intents.route_vectors(all["bert-embedding"].result())[0].score == Approx(1).margin(1e-5));
  model.unload_adapter("topic");
  CHECK(code_of([&] { model.unload_adapter("topic"); }) == VSR_ERR_NOT_FOUND);
}
