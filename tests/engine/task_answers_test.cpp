#include "engine/run/task_answers.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "support/byte_tokenizer.h"

using namespace vsr;
using engine::WindowOutput;

namespace {

const test::ByteTokenizer kBytes;

// Seven bytes at a limit of six: windows [0, 4) [2, 6) [4, 7).
text::WindowedInput seven_bytes() { return text::WindowedInput(kBytes, "abcdefg", nullptr, 6, 0); }

// One row per token of a window; the value says which window and which of its rows.
std::vector<WindowOutput> numbered_rows(const text::WindowedInput& input) {
  std::vector<WindowOutput> windows;
  for (size_t w = 0; w < input.window_count(); ++w) {
    WindowOutput window{{}, input.encoded_size(w), 1};
    for (size_t i = 0; i < window.rows; ++i) window.values.push_back(static_cast<float>(10 * w + i));
    windows.push_back(window);
  }
  return windows;
}

}  // namespace

TEST_CASE("merge: probabilities are the windows' mean", "[engine][merge]") {
  const auto input = seven_bytes();
  const std::vector<WindowOutput> windows{{{0.9F, 0.1F}, 1, 2}, {{0.6F, 0.4F}, 1, 2}, {{0.3F, 0.7F}, 1, 2}};
  const auto mean = engine::merge_probs({input, windows}, {});
  CHECK(mean[0] == Approx(0.6));
  CHECK(mean[1] == Approx(0.4));
}

TEST_CASE("merge: the window with the largest sum of unsafe labels decides alone", "[engine][merge]") {
  const auto input = seven_bytes();
  const std::vector<WindowOutput> windows{
      {{0.5F, 0.3F, 0.2F}, 1, 3}, {{0.1F, 0.3F, 0.6F}, 1, 3}, {{0.6F, 0.3F, 0.1F}, 1, 3}};
  CHECK(engine::merge_probs({input, windows}, {.max_of_labels = {0}}) == windows[2].values);
  CHECK(engine::merge_probs({input, windows}, {.max_of_labels = {2}}) == windows[1].values);
  CHECK(engine::merge_probs({input, windows}, {.max_of_labels = {1, 2}}) == windows[1].values);
}

TEST_CASE("merge: vectors are weighted with the tokens their windows read", "[engine][merge]") {
  const auto input = seven_bytes();
  const std::vector<WindowOutput> windows{{{1, 0}, 1, 2}, {{0, 1}, 1, 2}, {{1, 1}, 1, 2}};
  std::vector<float> merged(2);
  engine::merge_vectors({input, windows}, merged);
  CHECK(merged[0] == Approx(7.0 / 11));
  CHECK(merged[1] == Approx(7.0 / 11));
  const text::WindowedInput empty(kBytes, "", nullptr, 6, 0);
  const std::vector<WindowOutput> one{{{3, 4}, 1, 2}};
  engine::merge_vectors({empty, one}, merged);
  CHECK(merged == std::vector<float>{3, 4});
  engine::normalize(merged);
  CHECK(merged[0] == Approx(0.6));
  std::vector<float> zero{0, 0};
  engine::normalize(zero);
  CHECK(zero == std::vector<float>{0, 0});
}

TEST_CASE("merge: each token's row is from the window in which it lies most centrally", "[engine][merge]") {
  const auto input = seven_bytes();
  const auto windows = numbered_rows(input);
  // a b c | d: windows [0, 4) has its middle at 2, [2, 6) at 4, [4, 7) at 5.5; rows begin with [CLS].
  const std::vector<float> expected{0, 1, 2, 3, 12, 13, 22, 23, 24};
  CHECK(engine::merge_token_rows({input, windows}, kBytes) == expected);
}

TEST_CASE("merge: spans of the windows are united at their places in the text", "[engine][merge]") {
  const auto input = seven_bytes();
  const core::SpanLabels labels({"O", "X"});
  // X on bytes 2 and 3 in the first window, 2 to 4 in the second, 6 in the third.
  const auto rows = [](const std::vector<int>& marks) {
    WindowOutput window{{}, marks.size(), 2};
    for (const int mark : marks) {
      window.values.push_back(mark == 0 ? 0.9F : 0.0F);
      window.values.push_back(mark == 0 ? 0.1F : static_cast<float>(mark) / 10);
    }
    return window;
  };
  const std::vector<WindowOutput> windows{rows({0, 0, 0, 7, 7, 0}), rows({0, 6, 6, 6, 0, 0}), rows({0, 0, 0, 8, 0})};
  const auto spans = engine::merge_spans({input, windows}, kBytes, labels);
  REQUIRE(spans.size() == 2);
  CHECK(spans[0].begin == 2);
  CHECK(spans[0].end == 5);
  CHECK(spans[0].score == Approx(0.7));
  CHECK(spans[1].begin == 6);
  CHECK(spans[1].end == 7);
}
