// What a pass gives for the windows of a text.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "text/windows.h"

namespace vsr::engine {

// What a head gave for one window: float32 [rows, cols], one row, or one per token of the window.
struct WindowOutput {
  std::vector<float> values;
  size_t rows = 0;
  size_t cols = 0;
};

// A text with the outputs of its windows, in order.
struct ReadText {
  const text::WindowedInput& input;
  std::span<const WindowOutput> windows;
};

}  // namespace vsr::engine
