// The whole engine, text to answer, against the reference: windows, merging, prompts and entities included.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "engine/inference/engine_inference.h"
#include "support/engines.h"
#include "support/goldens.h"

using namespace vsr;
using nlohmann::json;
using test::distance;
using test::row;

namespace {

constexpr double kReferenceTolerance = 1e-5;
constexpr double kBatchTolerance = 1e-6;

std::vector<double> doubles(const json& values) { return values.get<std::vector<double>>(); }

std::vector<std::string> texts_of(const json& golden) {
  std::vector<std::string> texts;
  for (const json& one : golden.at("cases")) texts.push_back(one.at("text"));
  return texts;
}

void check_usage(const engine::TextUsage& usage, const json& expected) {
  CHECK(usage.tokens == expected.at("ids").size());
  CHECK(usage.windows == expected.at("windows").get<size_t>());
  CHECK(usage.dropped == 0);
  CHECK(usage.replaced_bytes == 0);
}

void check_embeddings(const engine::Engine& engine, const json& golden, const char* key,
                      const engine::EmbedOptions& options) {
  CAPTURE(key);
  if (!golden.at("cases")[0].contains(key)) return;
  const std::vector<std::string> texts = texts_of(golden);
  const engine::Result together = engine.embed(test::views(texts), options);
  REQUIRE(together.rows == texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    CAPTURE(i);
    const json& expected = golden.at("cases")[i];
    CHECK(distance(row(together, i), doubles(expected.at(key))) <= kReferenceTolerance);
    if (!options.prompt && !options.instruction) check_usage(together.usage[i], expected);
    const std::string_view text = texts[i];
    if (options.normalize) {
      CHECK(distance(engine.embed({&text, 1}, options).values, row(together, i)) <= kBatchTolerance);
    }
  }
}

}  // namespace

TEST_CASE("engine goldens: embeddings of texts of any length", "[engine][golden]") {
  for (const std::string& name : test::kEmbeddingGoldens) {
    CAPTURE(name);
    const json golden = test::golden(name);
    const auto engine = test::open_goldens({name});
    check_embeddings(*engine, golden, "embedding", {});
    check_embeddings(*engine, golden, "no_normalize", {.normalize = false});
    check_embeddings(*engine, golden, "dim_8", {.dim = 8});
    check_embeddings(*engine, golden, "layer_1", {.layer = 1});
    check_embeddings(*engine, golden, "prompt_query", {.prompt = "query"});
  }
}

TEST_CASE("engine goldens: where include_prompt is false, no pooling sees the prompt, in windows neither",
          "[engine][golden]") {
  const json golden = test::golden("bert-embedding-prompt-left-out");
  const auto engine = test::open_goldens({"bert-embedding-prompt-left-out"});
  check_embeddings(*engine, golden, "embedding", {});
  check_embeddings(*engine, golden, "prompt_query", {.prompt = "query"});
  check_embeddings(*engine, golden, "prompt_query", {.instruction = "please help me: "});
  check_embeddings(*engine, golden, "prompt_long", {.prompt = "long"});  // more than a window
}

TEST_CASE("engine goldens: a prompt is the same as its text given as an instruction or written out",
          "[engine][golden]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  const std::string_view text = "where is my card";
  const std::string_view written = "please help me: where is my card";
  const auto prompted = engine->embed({&text, 1}, {.prompt = "query"});
  CHECK(engine->embed({&text, 1}, {.instruction = "please help me: "}).values == prompted.values);
  CHECK(engine->embed({&written, 1}, {}).values == prompted.values);
  CHECK(engine->embed({&text, 1}, {.prompt = "document"}).values == engine->embed({&text, 1}, {}).values);
  CHECK(engine->embed({&text, 1}, {}).values != prompted.values);
}

TEST_CASE("engine goldens: probabilities of texts and pairs", "[engine][golden]") {
  for (const std::string& name : test::kSequenceGoldens) {
    CAPTURE(name);
    const json golden = test::golden(name);
    const auto engine = test::open_goldens({name});
    const json& cases = golden.at("cases");
    std::vector<std::string> texts = texts_of(golden), pairs;
    for (const json& one : cases) pairs.push_back(one.value("pair", ""));
    std::vector<engine::TextPair> inputs;
    for (size_t i = 0; i < cases.size(); ++i) {
      inputs.push_back({texts[i], std::nullopt});
      if (cases[i].contains("pair")) inputs.back().pair = pairs[i];
    }
    const engine::Result together = engine->classify(inputs, {});
    CHECK(together.labels == golden.at("labels").get<std::vector<std::string>>());
    for (size_t i = 0; i < cases.size(); ++i) {
      CAPTURE(i);
      CHECK(distance(row(together, i), doubles(cases[i].at("probs"))) <= kReferenceTolerance);
      CHECK(distance(engine->classify({&inputs[i], 1}, {}).values, row(together, i)) <= kBatchTolerance);
      check_usage(together.usage[i], cases[i]);
    }
  }
}

TEST_CASE("engine goldens: a row for every token of texts of any length", "[engine][golden]") {
  for (const std::string& name : test::kTokenGoldens) {
    const auto engine = test::open_goldens({name});
    const json golden = test::golden(name);
    for (const json& one : golden.at("cases")) {
      const auto text = one.at("text").get<std::string>();
      CAPTURE(name, text);
      const engine::Result made = engine->token_probs(text, {});
      std::vector<double> expected;
      for (const json& token : one.at("token_probs")) {
        for (const json& value : token) expected.push_back(value.get<double>());
      }
      CHECK(made.rows == one.at("ids").size());
      CHECK(distance(made.values, expected) <= kReferenceTolerance);
    }
  }
}

TEST_CASE("engine goldens: entities of texts of any length", "[engine][golden]") {
  for (const std::string& name : test::kTokenGoldens) {
    const auto engine = test::open_goldens({name});
    const json golden = test::golden(name);
    const std::vector<std::string> texts = texts_of(golden);
    for (const auto& [key, threshold] : {std::pair{"entities_0.5", 0.5F}, {"entities_0.75", 0.75F}}) {
      const engine::Result made = engine->entities(test::views(texts), {.threshold = threshold});
      size_t next = 0;
      for (size_t i = 0; i < texts.size(); ++i) {
        for (const json& expected : golden.at("cases")[i].at(key)) {
          CAPTURE(name, key, i, expected.dump());
          REQUIRE(next < made.entities.size());
          const engine::Entity& entity = made.entities[next++];
          CHECK(entity.text == i);
          CHECK(made.labels.at(entity.label) == expected.at("label").get<std::string>());
          CHECK(entity.begin == expected.at("start").get<size_t>());
          CHECK(entity.end == expected.at("end").get<size_t>());
          CHECK(std::abs(entity.score - expected.at("score").get<double>()) <= kReferenceTolerance);
        }
      }
      CHECK(next == made.entities.size());
    }
  }
}

TEST_CASE("engine goldens: rows and entities of pairs of texts of any length", "[engine][golden]") {
  const json golden = test::golden("token-pairs");
  for (const std::string name : {"bert-token", "bert-token-plain"}) {
    const auto engine = test::open_goldens({name});
    std::vector<engine::TextPair> pairs;
    std::vector<json> expected;
    for (const json& one : golden.at("cases")) {
      if (one.at("model") != name) continue;
      const auto& text = one.at("text").get_ref<const std::string&>();
      const auto& pair = one.at("pair").get_ref<const std::string&>();
      CAPTURE(name, text, pair);
      pairs.push_back({text, pair});
      expected.push_back(one.at("entities_0.5"));
      const engine::Result made = engine->token_probs_of_pair(pairs.back(), {});
      std::vector<double> rows;
      for (const json& token : one.at("token_probs")) {
        for (const json& value : token) rows.push_back(value.get<double>());
      }
      check_usage(made.usage.at(0), one);
      CHECK(distance(made.values, rows) <= kReferenceTolerance);
    }
    const engine::Result made = engine->entities_of_pairs(pairs, {.threshold = 0.5F});
    size_t next = 0;
    for (size_t i = 0; i < pairs.size(); ++i) {
      for (const json& span : expected[i]) {
        CAPTURE(name, i, span.dump());
        REQUIRE(next < made.entities.size());
        const engine::Entity& entity = made.entities[next++];
        CHECK(entity.text == i);
        CHECK(made.labels.at(entity.label) == span.at("label").get<std::string>());
        CHECK(entity.begin == span.at("start").get<size_t>());
        CHECK(entity.end == span.at("end").get<size_t>());
        CHECK(std::abs(entity.score - span.at("score").get<double>()) <= kReferenceTolerance);
      }
    }
    CHECK(next == made.entities.size());
  }
}

TEST_CASE("engine goldens: entities of pairs are the same by way of inference", "[engine][golden]") {
  const auto engine = test::open_goldens({"bert-token"});
  const std::vector<engine::TextPair> pairs{{"the hotel is in paris", "where is my card?"}, {"", "hello berlin"}};
  const engine::Result direct = engine->entities_of_pairs(pairs, {});
  REQUIRE_FALSE(direct.entities.empty());
  const auto models = engine::inference_of(engine);
  const std::vector<inference::QuestionPair> questions{{pairs[0].text, *pairs[0].pair},
                                                       {pairs[1].text, *pairs[1].pair}};
  const inference::TaskAnswer answer = models->entities_of_pairs(questions, "bert-token", {});
  REQUIRE(answer.entities.size() == 2);
  size_t next = 0;
  for (size_t i = 0; i < 2; ++i) {
    for (const inference::ModelEntity& entity : answer.entities[i]) {
      REQUIRE(next < direct.entities.size());
      const engine::Entity& same = direct.entities[next++];
      CHECK(same.text == i);
      CHECK(entity.label == direct.labels[same.label]);
      CHECK((entity.begin == same.begin && entity.end == same.end));
      CHECK(entity.score == Approx(same.score).margin(1e-6));
    }
  }
  CHECK(next == direct.entities.size());
  CHECK_THROWS_AS(models->entities_of_pairs(questions, "no such task", {}), base::Error);
}
