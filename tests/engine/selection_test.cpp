#include "engine/selection.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/engines.h"
#include "support/failure.h"
#include "support/temp_folder.h"

using namespace vsr;
using base::Status;
using engine::EmbedPolicy;
using engine::Selection;
using test::Failure;
using test::failure_of;

namespace {

// What the entry of a model in the file is.
std::string entry(const std::string& name, const std::string& golden, const std::string& traits = "") {
  return "    " + name + ": {path: " + test::source_path("tests/goldens/models/" + golden) +
         (traits.empty() ? "" : ", " + traits) + "}\n";
}

std::shared_ptr<const engine::Engine> open(const std::string& entries) {
  const test::TempFolder folder;
  return engine::Engine::open({.config_path = folder.write("c.yaml", "vsr:\n  models:\n" + entries)});
}

Failure open_failure(const std::string& entries) {
  const test::TempFolder folder;
  const std::string path = folder.write("c.yaml", "vsr:\n  models:\n" + entries);
  Failure failure = failure_of([&] { engine::Engine::open({.config_path = path}); });
  if (failure.message.find(path) == 0) failure.message.replace(0, path.size(), "<f>");
  return failure;
}

// "good" is bigger and better, "fast" is small: 32 values in both.
std::shared_ptr<const engine::Engine> good_and_fast() {
  return open(entry("good", "bert-embedding", "quality: 0.9, languages: [de, en], matryoshka_dims: [8, 16]") +
              entry("fast", "bert-no-pooler", "quality: 0.2, languages: [en, pt]"));
}

Selection choose(const engine::Engine& engine, const EmbedPolicy& policy, const engine::EmbedOptions& options = {},
                 std::string_view text = "where is my card ?") {
  return engine.select({&text, 1}, policy, options);
}

std::string rejected(const Selection& selection, const std::string& model) {
  for (const engine::Candidate& candidate : selection.candidates) {
    if (candidate.model == model) return candidate.rejected;
  }
  return "not a candidate";
}

std::string sixty_words() {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "my card ";
  return text;
}

}  // namespace

TEST_CASE("selection: quality against latency decides between models that qualify", "[engine][selection]") {
  const auto engine = good_and_fast();
  CHECK(choose(*engine, {.quality_priority = 1}).model == "good");
  CHECK(choose(*engine, {.latency_priority = 1}).model == "fast");
  CHECK(choose(*engine, {.quality_priority = 0.9, .latency_priority = 0.1}).model == "good");
  CHECK(choose(*engine, {.quality_priority = 0.1, .latency_priority = 0.9}).model == "fast");
  // Only their proportion counts, and none at all is half and half.
  const Selection half = choose(*engine, {});
  const Selection alike = choose(*engine, {.quality_priority = 0.3, .latency_priority = 0.3});
  CHECK(half.model == alike.model);
  CHECK(half.reason == alike.reason);
}

TEST_CASE("selection: scores are the documented sum, and the reason shows it", "[engine][selection]") {
  const Selection selection = choose(*good_and_fast(), {.quality_priority = 0.75, .latency_priority = 0.25});
  REQUIRE(selection.candidates.size() == 2);
  const engine::Candidate& good = selection.candidates[0];
  const engine::Candidate& fast = selection.candidates[1];
  CHECK(good.quality == 0.9);
  CHECK(fast.quality == 0.2);
  CHECK(fast.speed == 1);
  CHECK(good.speed > 0);
  CHECK(good.speed < 1);
  CHECK(good.tokens == 7);
  CHECK(good.windows == 1);
  CHECK(good.score == Approx(0.75 * 0.9 + 0.25 * good.speed));
  CHECK(fast.score == Approx(0.75 * 0.2 + 0.25));
  CHECK(selection.model == "good");
  CHECK(selection.reason.find("score 0.8") == 0);
  CHECK(selection.reason.find("= 0.750 x quality 0.900 + 0.250 x speed 0.") != std::string::npos);
  CHECK(selection.reason.find("next is \"fast\" with 0.400") != std::string::npos);
}

TEST_CASE("selection: a language must be listed, its regions and scripts are covered", "[engine][selection]") {
  const auto engine = good_and_fast();
  const Selection german = choose(*engine, {.latency_priority = 1, .language = "de"});
  CHECK(german.model == "good");
  CHECK(rejected(german, "fast") == "lists the languages en, pt, not de");
  CHECK(choose(*engine, {.quality_priority = 1, .language = "PT-br"}).model == "fast");
  CHECK(choose(*engine, {.quality_priority = 1, .language = "en"}).model == "good");
  const Failure none = failure_of([&] { choose(*engine, {.language = "d"}); });
  CHECK(none.status == Status::kInvalidArgument);
  CHECK(none.message == "language is \"d\", expected one such as \"de\" or \"pt-BR\"");
  CHECK(
      failure_of([&] { choose(*engine, {.language = "fr"}); }) ==
      Failure{Status::kNotFound,
              "no embedding model qualifies: \"good\" lists the languages de, en, not fr; \"fast\" lists the languages "
              "en, pt, not fr"});
  const auto any = open(entry("any", "bert-embedding", "languages: [\"*\"]") + entry("none", "bert-no-pooler"));
  const Selection swahili = choose(*any, {.latency_priority = 1, .language = "sw"});
  CHECK(swahili.model == "any");
  CHECK(rejected(swahili, "none") == "lists no languages");
}

TEST_CASE("selection: a dimension is the model's own or one that the config lists", "[engine][selection]") {
  const auto engine = good_and_fast();
  const Selection cut = choose(*engine, {.latency_priority = 1}, {.dim = 16});
  CHECK(cut.model == "good");
  CHECK(rejected(cut, "fast") == "has vectors of 32 values and no matryoshka_dims, not 16");
  CHECK(choose(*engine, {.latency_priority = 1}, {.dim = 32}).model == "fast");
  CHECK(failure_of([&] {
          choose(*engine, {}, {.dim = 24});
        }).message.find("\"good\" has vectors of 32 values and matryoshka_dims 8, 16, not 24; \"fast\" has") !=
        std::string::npos);
  CHECK(choose(*engine, {.latency_priority = 1}, {.layer = 3}).model == "good");
  CHECK(rejected(choose(*engine, {}, {.layer = 3}), "fast") == "has 2 layers, not 3");
}

TEST_CASE("selection: a model that reads the longest text whole goes before one that needs windows",
          "[engine][selection]") {
  // Limits of 24 and 40 tokens.
  const auto engine = good_and_fast();
  const std::string text = "my card my card my card my card my card my card my card my card my card my card my card my";
  const Selection longer = choose(*engine, {.quality_priority = 1}, {}, text);
  CHECK(longer.model == "fast");
  CHECK(rejected(longer, "good") == "reads 25 tokens in windows of 24");
  CHECK(longer.candidates[0].windows == 2);
  // Where no model can, all stay, and windows cost what they cost.
  const Selection longest = choose(*engine, {.quality_priority = 1}, {}, sixty_words());
  CHECK(longest.model == "good");
  CHECK(rejected(longest, "fast").empty());
  CHECK(longest.reason.find("no model reads 62 tokens in one window") != std::string::npos);
  // The prompt is part of what is read.
  const std::string with_prompt = "my card my card my card my card my card my card my card my card my card my";
  CHECK(choose(*engine, {.quality_priority = 1}, {}, with_prompt).model == "good");
  CHECK(choose(*engine, {.quality_priority = 1}, {.instruction = "please help me: "}, with_prompt).model == "fast");
}

TEST_CASE("selection: one model for all texts of a call, by the longest of them", "[engine][selection]") {
  const auto engine = good_and_fast();
  const std::string longer =
      "my card my card my card my card my card my card my card my card my card my card my card my";
  const std::vector<std::string> texts{"hello", longer, ""};
  const Selection selection = engine->select(test::views(texts), {.quality_priority = 1}, {});
  CHECK(selection.model == "fast");
  CHECK(selection.candidates[1].tokens == 25);
  CHECK(selection.candidates[1].windows == 3);
  CHECK(engine->select({}, {.quality_priority = 1}, {}).model == "good");
  CHECK(engine->select({}, {.latency_priority = 1}, {}).model == "fast");
}

TEST_CASE("selection: classifiers and models without the prompt do not qualify", "[engine][selection]") {
  const auto engine =
      open(entry("head", "bert-sequence") + entry("embedder", "bert-embedding") + entry("bare", "bert-no-pooler"));
  const Selection selection = choose(*engine, {.latency_priority = 1}, {.prompt = "query"});
  CHECK(selection.model == "embedder");
  CHECK(rejected(selection, "head") == "is a classifier: it has a head and no modules.json");
  CHECK(rejected(selection, "bare") == "has no prompt \"query\"");
  CHECK(selection.reason.find("no other model qualifies") != std::string::npos);
  CHECK(failure_of([&] { choose(*engine, {}, {.prompt = "none"}); }).status == Status::kNotFound);
  CHECK(failure_of([&] { choose(*engine, {}, {.prompt = "query", .instruction = "x"}); }).status ==
        Status::kInvalidArgument);
}

TEST_CASE("selection: without quality in the config it grows with what computes", "[engine][selection]") {
  const auto engine = open(entry("a", "bert-no-pooler") + entry("b", "bert-embedding"));
  const Selection selection = choose(*engine, {.quality_priority = 1});
  CHECK(selection.candidates[0].quality == 0);  // far below a million parameters
  CHECK(selection.model == "a");                // of equals the one with less work
}

TEST_CASE("selection: equal models tie in the engine's order", "[engine][selection]") {
  const auto engine = open(entry("b", "bert-embedding") + entry("a", "bert-embedding"));
  CHECK(choose(*engine, {.quality_priority = 1}).model == "b");
  CHECK(choose(*engine, {.latency_priority = 1}).model == "b");
}

TEST_CASE("selection: a policy out of range, or beside a task, is an error", "[engine][selection]") {
  const auto engine = good_and_fast();
  CHECK(failure_of([&] { choose(*engine, {.quality_priority = 1.5}); }) ==
        Failure{Status::kInvalidArgument, "quality_priority is 1.5, expected 0 to 1"});
  CHECK(failure_of([&] { choose(*engine, {.latency_priority = -0.1}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { choose(*engine, {.latency_priority = std::nan("")}); }).status == Status::kInvalidArgument);
  CHECK(failure_of([&] { choose(*engine, {}, {.task = "good"}); }) ==
        Failure{Status::kInvalidArgument, "task is \"good\", and a policy chooses it"});
}

TEST_CASE("selection: what the config says of a model is checked with its place", "[engine][selection][config]") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"languages: en", "\"languages\" is a single value, expected a list"},
      {"languages: []", "\"languages\" is empty, expected languages, or \"*\" for any"},
      {"languages: [en, EN]", "\"languages[1]\" is given twice"},
      {"languages: [english_us]",
       "\"languages[0]\" is \"english_us\", expected a language such as \"de\" or \"pt-BR\", or \"*\" for any"},
      {"languages: [e]",
       "\"languages[0]\" is \"e\", expected a language such as \"de\" or \"pt-BR\", or \"*\" for any"},
      {"quality: 1.01", "\"quality\" is out of range, expected 0 to 1"},
      {"quality: high", "\"quality\" is \"high\", expected a number"},
      {"matryoshka_dims: 8", "\"matryoshka_dims\" is a single value, expected a list"},
      {"matryoshka_dims: [8, 0]", "\"matryoshka_dims[1]\" is 0, expected at least 1"},
      {"matryoshka_dims: [8, 8]", "\"matryoshka_dims[1]\" is given twice"},
      {"matryoshka_dims: [8, 33]", "\"matryoshka_dims\" has 33, the model's vectors have 32 values"},
      {"langauges: [en]", "\"langauges\" is not a key of \"m\" (did you mean \"languages\"?)"}};
  for (const auto& [traits, message] : cases) {
    CAPTURE(traits);
    const Failure failure = open_failure(entry("m", "bert-embedding", traits));
    CHECK(failure.status == Status::kParse);
    CHECK(failure.message.find("<f>:3:") == 0);
    CHECK(failure.message.substr(failure.message.find(": ") + 2) == message);
  }
}
