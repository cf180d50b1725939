// The windows of a long text, joined by the engine and given one by one.
#include <algorithm>
#include <catch2/catch.hpp>

#include "engine/engine.h"
#include "engine/inference/engine_inference.h"
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

engine::TaskOutcome ask(const engine::Engine& engine, const std::string& task, bool every_window) {
  const std::string text = long_text();
  const std::vector<engine::TextPair> inputs = {
      {"hello", std::nullopt}, {text, std::nullopt}, {"unread", std::nullopt}};
  engine::MultiResult result =
      engine.classify_all(inputs, {.tasks = {task}, .wanted = {true, true, false}, .every_window = every_window});
  REQUIRE(!result.tasks[0].error);
  REQUIRE(result.tasks[0].result.usage[1].windows > 1);
  return std::move(result.tasks[0]);
}

}  // namespace

TEST_CASE("unsafe labels: who asks for every window reads special tokens that a text spells out as its words",
          "[engine]") {
  const auto engine = engine::Engine::open({.models = {{.name = "m", .path = test::golden_model("bert-sequence")}}});
  const auto tokens = [&](std::string_view text, bool every_window) {
    const std::vector<engine::TextPair> inputs = {{text, std::nullopt}};
    return engine->classify_all(inputs, {.tasks = {"m"}, .every_window = every_window}).tasks[0].result.usage[0].tokens;
  };
  CHECK(tokens("paris [SEP] card", false) == tokens("paris card", false) + 1);
  CHECK(tokens("paris [SEP] card", true) == tokens("paris [ SEP ] card", true));
  CHECK(tokens("paris card", true) == tokens("paris card", false));
}

TEST_CASE("engine inference: embeddings of what a request spells read special tokens as its words", "[engine]") {
  const auto engine = engine::Engine::open({.models = {{.name = "m", .path = test::golden_model("bert-embedding")}}});
  const auto embedder = engine::embedder_of(engine, "");
  const auto of = [&](std::string_view text) { return embedder->embed({&text, 1}, {}); };
  CHECK(of("paris [SEP] card") == of("paris [ SEP ] card"));
  const std::string_view spelled = "paris [SEP] card";
  CHECK(of(spelled) != engine->embed({&spelled, 1}, {}).values);
}

TEST_CASE("unsafe labels: every window is given on demand, and what the engine joins is made of them", "[engine]") {
  const test::TempFolder folder;
  const std::string path =
      folder.write("c.yaml", "vsr:\n  models:\n    m: {path: " + test::golden_model("bert-sequence") +
                                 "}\n  tasks:\n    guard: {model: m, unsafe_labels: [travel]}\n");
  const auto engine = engine::Engine::open({.config_path = path});
  const engine::TaskOutcome windows = ask(*engine, "m", true), guarded = ask(*engine, "guard", true);
  const engine::TaskOutcome averaged = ask(*engine, "m", false), worst = ask(*engine, "guard", false);
  CHECK(windows.unsafe_labels.empty());
  CHECK(guarded.unsafe_labels == std::vector<std::string>{"travel"});

  const engine::Result& rows = windows.result;
  REQUIRE(rows.usage.size() == 3);
  CHECK(rows.usage[2].windows == 0);
  REQUIRE(rows.rows == rows.usage[0].windows + rows.usage[1].windows);
  REQUIRE(rows.values.size() == rows.rows * rows.cols);
  CHECK(guarded.result.values == rows.values);
  const size_t travel = 1;
  REQUIRE(rows.labels[travel] == "travel");
  double sum = 0, largest = 0;
  for (size_t row = 1; row < rows.rows; ++row) {
    const double value = rows.values[row * rows.cols + travel];
    sum += value;
    largest = std::max(largest, value);
  }
  CHECK(averaged.result.values[rows.cols + travel] == Approx(sum / static_cast<double>(rows.rows - 1)));
  CHECK(worst.result.values[rows.cols + travel] == Approx(largest));
  CHECK(rows.values[travel] == Approx(averaged.result.values[travel]));
}
