// How windows of a long text are joined for tasks that guard something.
#include <catch2/catch.hpp>

#include "engine/load/engine.h"
#include "support/engines.h"
#include "support/goldens.h"
#include "support/temp_folder.h"

using namespace vsr;

namespace {

// Of several windows, and unlike in each.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 400; ++i) text += i < 200 ? "where is my card? " : "book a flight to paris ";
  return text;
}

engine::TaskOutcome ask(const engine::Engine& engine, const std::string& task, const engine::UnsafeLabels& unsafe) {
  const std::string text = long_text();
  const engine::TextPair input{text, std::nullopt};
  engine::MultiResult result = engine.classify_all({&input, 1}, {.tasks = {task}, .unsafe_labels = unsafe});
  REQUIRE(!result.tasks[0].error);
  REQUIRE(result.tasks[0].result.usage[0].windows > 1);
  return std::move(result.tasks[0]);
}

}  // namespace

TEST_CASE("unsafe labels: a call that names them joins windows as a config that does", "[engine]") {
  const test::TempFolder folder;
  const std::string path =
      folder.write("c.yaml", "vsr:\n  models:\n    m: {path: " + test::golden_model("bert-sequence") +
                                 "}\n  tasks:\n    guard: {model: m, unsafe_labels: [travel]}\n");
  const auto engine = engine::Engine::open({.config_path = path});
  const auto travel = [](const std::string&, const std::vector<std::string>& labels) {
    std::vector<bool> unsafe;
    for (const std::string& label : labels) unsafe.push_back(label == "travel");
    return unsafe;
  };
  const engine::TaskOutcome configured = ask(*engine, "guard", nullptr);
  const engine::TaskOutcome called = ask(*engine, "m", travel);
  const engine::TaskOutcome averaged = ask(*engine, "m", nullptr);
  CHECK(configured.unsafe_labels == std::vector<std::string>{"travel"});
  CHECK(called.unsafe_labels == std::vector<std::string>{"travel"});
  CHECK(averaged.unsafe_labels.empty());
  CHECK(called.result.values == configured.result.values);
  const size_t index = 1;
  REQUIRE(called.result.labels[index] == "travel");
  CHECK(called.result.values[index] > averaged.result.values[index]);

  // What the config says is not overruled.
  const auto banking = [](const std::string&, const std::vector<std::string>&) {
    return std::vector{true, false, false};
  };
  CHECK(ask(*engine, "guard", banking).result.values == configured.result.values);
}
