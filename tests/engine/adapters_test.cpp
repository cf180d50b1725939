// Adapters in an engine: many tasks in one call, paths, errors of one task, swapping while others call.
#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/engines.h"
#include "support/failure.h"
#include "support/goldens.h"
#include "support/model_copy.h"

using namespace vsr;
using base::Status;
using engine::TaskKind;
using engine::TaskPath;
using test::distance;
using test::Failure;
using test::failure_of;

namespace {

constexpr double kRounding = 1e-6;
const std::vector<std::string> kTexts{"where is my card", "please help me transfer money to my bank account", "",
                                      "book a flight to paris and then please help me find a hotel in london for my "
                                      "friend who wants to travel with me and book a flight to berlin"};

engine::AdapterOptions adapter(const std::string& golden, const std::string& name = "") {
  return {.name = name, .path = test::source_path("tests/goldens/adapters/" + golden), .model = ""};
}

engine::EngineOptions with_adapters(const std::vector<std::string>& goldens) {
  engine::EngineOptions options = test::engine_options({"bert-embedding"});
  for (const std::string& golden : goldens) {
    options.adapters.push_back(adapter(golden, golden == "bert-embedding" ? "adapted" : golden));
  }
  return options;
}

std::vector<std::string> names_of(const engine::MultiResult& results) {
  std::vector<std::string> names;
  for (const auto& outcome : results.tasks) names.push_back(outcome.task);
  return names;
}

std::string message_of(const std::exception_ptr& error) {
  return failure_of([&] { std::rethrow_exception(error); }).message;
}

// Two models and two adapters; "topic" can be answered by "merged" (a model of its own) or by an adapter of "base".
std::string two_path_config(const std::string& path_line) {
  const std::string models = test::source_path("tests/goldens/models/");
  const std::string adapters = test::source_path("tests/goldens/adapters/");
  return "vsr:\n  models:\n    base: {path: " + models + "bert-embedding}\n    merged: {path: " + models +
         "bert-sequence}\n  adapters:\n    last: {path: " + adapters +
         "bert-last-layer, model: base}\n    tags: {path: " + adapters +
         "bert-token, model: base}\n  tasks:\n    topic: {model: merged, adapter: last" + path_line + "}\n";
}

}  // namespace

TEST_CASE("adapters: tasks of every kind in one pass answer as they do alone", "[engine][adapters]") {
  const auto engine =
      engine::Engine::open(with_adapters({"bert-last-layer", "bert-token", "bert-dora", "bert-embedding"}));
  const auto inputs = test::single(kTexts);
  const engine::MultiResult results = engine->classify_all(
      inputs, {.tasks = {"bert-token", "bert-embedding", "adapted", "bert-last-layer", "bert-dora"}});
  CHECK(names_of(results) ==
        std::vector<std::string>{"bert-token", "bert-embedding", "adapted", "bert-last-layer", "bert-dora"});
  for (const auto& outcome : results.tasks) {
    CAPTURE(outcome.task);
    REQUIRE_FALSE(outcome.error);
    CHECK(outcome.model == "bert-embedding");
    CHECK(outcome.path == (outcome.task == "bert-embedding" ? TaskPath::kStandard : TaskPath::kLora));
    CHECK(outcome.result.usage.size() == kTexts.size());
    if (outcome.kind == TaskKind::kEmbedding) {
      const auto alone = engine->embed(test::views(kTexts), {.task = outcome.task});
      CHECK(distance(outcome.result.values, alone.values) < kRounding);
    } else if (outcome.kind == TaskKind::kSequenceClassification) {
      const auto alone = engine->classify(inputs, {.task = outcome.task});
      CHECK(distance(outcome.result.values, alone.values) < kRounding);
      CHECK(outcome.result.labels == alone.labels);
    } else {
      const auto alone = engine->entities(test::views(kTexts), {.task = outcome.task});
      REQUIRE(outcome.result.entities.size() == alone.entities.size());
      CHECK_FALSE(alone.entities.empty());
      for (size_t i = 0; i < alone.entities.size(); ++i)
        CHECK(outcome.result.entities[i].begin == alone.entities[i].begin);
    }
  }
  REQUIRE(results.passes.size() == 1);
  CHECK(results.passes[0].tasks.size() == 5);
  CHECK(results.passes[0].blocks == 3);
  CHECK(results.passes[0].shared_blocks == 1);
  CHECK(results.passes[0].block_rows < results.passes[0].separate_rows);
}

TEST_CASE("adapters: several models in one call, tokenized once where the tokenizer is the same",
          "[engine][adapters]") {
  engine::EngineOptions options = with_adapters({"bert-last-layer"});
  options.models.push_back(test::golden_options("bert-sequence"));
  options.models.push_back(test::golden_options("modernbert-pairs"));
  options.models.push_back(test::golden_options("bert-no-pooler"));
  options.adapters[0].model = "bert-embedding";
  const auto engine = engine::Engine::open(options);
  CHECK(engine->tokenizer("bert-embedding") == engine->tokenizer("bert-sequence"));
  CHECK(engine->tokenizer("bert-embedding") != engine->tokenizer("bert-no-pooler"));
  const auto inputs = test::single(kTexts);
  const auto results =
      engine->classify_all(inputs, {.tasks = {"modernbert-pairs", "bert-last-layer", "bert-sequence"}});
  CHECK(results.passes.size() == 3);
  for (const auto& outcome : results.tasks) {
    CAPTURE(outcome.task);
    REQUIRE_FALSE(outcome.error);
    CHECK(outcome.kind == TaskKind::kSequenceClassification);
    CHECK(distance(outcome.result.values, engine->classify(inputs, {.task = outcome.task}).values) < kRounding);
  }
}

TEST_CASE("adapters: each text may want its own tasks", "[engine][adapters]") {
  const auto engine = engine::Engine::open(with_adapters({"bert-last-layer", "bert-dora"}));
  const auto inputs = test::single(kTexts);
  engine::MultiOptions options{.tasks = {"bert-last-layer", "bert-dora"}};
  options.wanted = {true, false, false, true, true, true, false, false};
  const auto results = engine->classify_all(inputs, options);
  for (size_t task = 0; task < 2; ++task) {
    const engine::Result& result = results.tasks[task].result;
    const auto all = engine->classify(inputs, {.task = results.tasks[task].task});
    for (size_t text = 0; text < inputs.size(); ++text) {
      CAPTURE(task, text);
      if (options.wanted[text * 2 + task]) {
        CHECK(distance(test::row(result, text), test::row(all, text)) < kRounding);
        CHECK(result.usage[text].windows == all.usage[text].windows);
      } else {
        CHECK(std::isnan(result.values[text * result.cols]));
        CHECK(result.usage[text].windows == 0);
      }
    }
  }
  options.wanted.pop_back();
  CHECK(failure_of([&] { engine->classify_all(inputs, options); }) ==
        Failure{Status::kInvalidArgument, "wanted has 7 entries, expected 8"});
}

TEST_CASE("adapters: which path a task takes depends on the call's tasks only", "[engine][adapters]") {
  const test::TempFolder folder;
  const auto path_of_topic = [&](const std::string& line, const std::vector<std::string>& tasks, TaskPath path) {
    const auto engine = engine::Engine::open({.config_path = folder.write("config.yaml", two_path_config(line))});
    const auto results = engine->classify_all(test::single({"where is my card"}), {.tasks = tasks, .path = path});
    return results.tasks.front().path;
  };
  CHECK(path_of_topic("", {"topic"}, TaskPath::kAuto) == TaskPath::kStandard);
  CHECK(path_of_topic("", {"topic", "tags"}, TaskPath::kAuto) == TaskPath::kLora);  // its base runs anyway
  CHECK(path_of_topic("", {"topic", "base"}, TaskPath::kAuto) == TaskPath::kLora);
  CHECK(path_of_topic("", {"topic", "merged"}, TaskPath::kAuto) == TaskPath::kStandard);
  CHECK(path_of_topic("", {"topic", "tags"}, TaskPath::kStandard) == TaskPath::kStandard);
  CHECK(path_of_topic("", {"topic"}, TaskPath::kLora) == TaskPath::kLora);
  CHECK(path_of_topic(", path: lora", {"topic"}, TaskPath::kAuto) == TaskPath::kLora);
  CHECK(path_of_topic(", path: standard", {"topic", "tags"}, TaskPath::kAuto) == TaskPath::kStandard);
  CHECK(failure_of([&] { path_of_topic(", path: fast", {"topic"}, TaskPath::kAuto); }).status == Status::kParse);
}

TEST_CASE("adapters: an error of one task leaves the others alone", "[engine][adapters]") {
  const test::AdapterCopy broken("bert-dora");
  broken.edit_tensors([](test::StoredTensors& tensors) {
    const float huge = 3e38F;
    char* bytes = tensors.bytes("base_model.model.classifier.weight");
    for (size_t i = 0; i < 64; ++i) std::memcpy(bytes + 4 * i, &huge, sizeof huge);
  });
  engine::EngineOptions options = with_adapters({"bert-last-layer"});
  options.adapters.push_back({.name = "broken", .path = broken.path().string(), .model = ""});
  const auto engine = engine::Engine::open(options);
  const auto inputs = test::single(kTexts);
  const auto results = engine->classify_all(inputs, {.tasks = {"broken", "bert-last-layer"}});
  REQUIRE(results.tasks[0].error);
  CHECK(message_of(results.tasks[0].error).find("not finite") != std::string::npos);
  CHECK(results.tasks[0].result.values.empty());
  REQUIRE_FALSE(results.tasks[1].error);
  CHECK(distance(results.tasks[1].result.values, engine->classify(inputs, {.task = "bert-last-layer"}).values) <
        kRounding);

  const auto limited = engine->classify_all(inputs, {.tasks = {"bert-last-layer"}, .limits = {.max_tokens = 5}});
  REQUIRE(limited.tasks[0].error);
  CHECK(failure_of([&] { std::rethrow_exception(limited.tasks[0].error); }).status == Status::kLimit);
}

TEST_CASE("adapters: wrong names are errors of the call", "[engine][adapters]") {
  const auto engine = engine::Engine::open(with_adapters({"bert-last-layer"}));
  const auto failing = [&](const std::vector<std::string>& tasks) {
    return failure_of([&] { engine->classify_all(test::single({"a"}), {.tasks = tasks}); });
  };
  CHECK(failing({"nothing"}) == Failure{Status::kNotFound,
                                        "tasks[0]: task \"nothing\" does not exist; there are "
                                        "\"bert-embedding\", \"bert-last-layer\""});
  CHECK(failing({"bert-last-layer", "bert-last-layer"}).status == Status::kInvalidArgument);
  CHECK(engine->classify_all(test::single({"a"}), {.tasks = {}}).tasks.empty());
  CHECK(engine->classify_all({}, {.tasks = {"bert-last-layer"}}).tasks[0].result.rows == 0);
}

TEST_CASE("adapters: loaded, replaced and unloaded while the engine serves", "[engine][adapters]") {
  const auto engine = engine::Engine::open(with_adapters({"bert-last-layer"}));
  CHECK(failure_of([&] { engine->load_adapter(adapter("bert-dora", "bert-last-layer"), false); }) ==
        Failure{Status::kInvalidArgument, "adapter \"bert-last-layer\": a model or an adapter has that name"});
  CHECK(failure_of([&] { engine->load_adapter(adapter("bert-dora", "bert-embedding"), true); }).status ==
        Status::kInvalidArgument);
  CHECK(failure_of([&] { engine->unload_adapter("dora"); }) ==
        Failure{Status::kNotFound, "adapter \"dora\" is not loaded"});
  engine->load_adapter(adapter("bert-dora", "dora"), false);
  CHECK(engine->classify(test::single({"a"}), {.task = "dora"}).labels == std::vector<std::string>{"yes", "no"});
  engine->load_adapter(adapter("bert-last-layer", "dora"), true);
  CHECK(engine->classify(test::single({"a"}), {.task = "dora"}).labels.size() == 3);
  engine->unload_adapter("dora");
  CHECK(failure_of([&] { engine->classify(test::single({"a"}), {.task = "dora"}); }).status == Status::kNotFound);

  const auto description = nlohmann::json::parse(engine->describe());
  REQUIRE(description.at("adapters").size() == 1);
  CHECK(description["adapters"][0]["name"] == "bert-last-layer");
  CHECK(description["adapters"][0]["first_layer"] == 2);
  CHECK(description["tasks"].back()["path"] == "lora");
}

TEST_CASE("adapters: an adapter that the config needs stays until it is replaced", "[engine][adapters]") {
  const test::TempFolder folder;
  const auto engine = engine::Engine::open({.config_path = folder.write("config.yaml", two_path_config(""))});
  CHECK(failure_of([&] { engine->unload_adapter("last"); }).status == Status::kParse);
  engine->load_adapter({"last", test::source_path("tests/goldens/adapters/bert-dora"), "base"}, true);
  const auto results = engine->classify_all(test::single({"a"}), {.tasks = {"topic", "tags"}});
  CHECK(results.tasks[0].result.labels == std::vector<std::string>{"yes", "no"});
}

TEST_CASE("adapters: merged into their base they answer as a standard model", "[engine][adapters]") {
  const auto engine = engine::Engine::open(with_adapters({"bert-last-layer", "bert-token"}));
  const test::TempFolder folder;
  engine->merge_adapter(adapter("bert-last-layer"), folder / "topic");
  engine->merge_adapter(adapter("bert-token"), folder / "tags");
  const auto merged = engine::Engine::open(
      {.config_path = "",
       .models = {{.name = "topic", .path = folder / "topic"}, {.name = "tags", .path = folder / "tags"}}});
  const auto inputs = test::single(kTexts);
  CHECK(distance(merged->classify(inputs, {}).values, engine->classify(inputs, {}).values) < 1e-5);
  const auto tags = merged->entities(test::views(kTexts), {}), expected = engine->entities(test::views(kTexts), {});
  CHECK(tags.labels == expected.labels);
  REQUIRE(tags.entities.size() == expected.entities.size());
  for (size_t i = 0; i < tags.entities.size(); ++i) CHECK(tags.entities[i].end == expected.entities[i].end);
}

TEST_CASE("adapters: swapping under load fails no call and mixes no answers", "[engine][adapters][threads]") {
  const auto engine = engine::Engine::open(with_adapters({"bert-last-layer", "bert-token"}));
  const auto inputs = test::single(kTexts);
  // The task "swap" is one adapter or the other, told apart by the number of labels.
  const auto expected_of = [&](const std::string& golden) {
    engine->load_adapter(adapter(golden, "swap"), true);
    return engine->classify(inputs, {.task = "swap"}).values;
  };
  const std::vector<float> two_labels = expected_of("bert-dora"), five_labels = expected_of("bert-all-layers");
  std::atomic<bool> stop{false};
  std::atomic<int> calls{0}, wrong{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      while (!stop) {
        try {
          const auto results = engine->classify_all(inputs, {.tasks = {"bert-last-layer", "swap", "bert-token"}});
          for (const auto& outcome : results.tasks) wrong += outcome.error ? 1 : 0;
          const engine::Result& swap = results.tasks[1].result;
          wrong += distance(swap.values, swap.cols == 2 ? two_labels : five_labels) < kRounding ? 0 : 1;
        } catch (const base::Error&) {
          ++wrong;
        }
        ++calls;
      }
    });
  }
  for (int i = 0; i < 40; ++i)
    engine->load_adapter(adapter(i % 2 == 0 ? "bert-dora" : "bert-all-layers", "swap"), true);
  while (calls < 20) std::this_thread::yield();
  stop = true;
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
}
