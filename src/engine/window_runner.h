// Runs texts of any length through a model: windows of all texts, sorted by length, in packed batches.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <span>
#include <vector>

#include "core/batch.h"
#include "engine/loaded_model.h"
#include "engine/types.h"
#include "text/windows.h"

namespace vsr::engine {

// What the model gave for one window: float32 [rows, cols], one row, or one per token of the window.
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

struct RunSpec {
  const LoadedModel* model;
  size_t max_tokens = 0;  // longer texts are kLimit; 0: windows
  size_t unpooled_tokens = 0;  // at the front of each encoding, template included, that pooling leaves out
  int64_t layers = 0;     // 0: all
  // From hidden states to [sequences, cols], or [total_tokens, cols] where rows_per_token says so.
  std::function<at::Tensor(const at::Tensor& hidden, const core::PackedBatch& batch)> head;
  bool rows_per_token = false;
  Progress progress;
};

// Calls `merge` for each text, in order, on the calling thread. Texts are taken in blocks, so that memory does not grow
// with their number. Returns how each was read.
std::vector<TextUsage> run_windows(const RunSpec& spec, std::span<const TextPair> texts,
                                   const std::function<void(size_t text, const ReadText& read)>& merge);

}  // namespace vsr::engine
