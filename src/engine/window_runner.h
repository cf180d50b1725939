// Runs texts of any length through models: windows of all texts, sorted by length, in packed batches, one pass of each
// base model for all the tasks that it answers.
#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/batch.h"
#include "engine/loaded_model.h"
#include "engine/types.h"
#include "lora/adapter.h"
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

// One task's part of a call.
struct TaskRun {
  std::string name;
  const LoadedModel* model;
  const lora::Adapter* adapter = nullptr;
  // From hidden states to [sequences, cols], or [total_tokens, cols] where rows_per_token says so.
  std::function<at::Tensor(const at::Tensor& hidden, const core::PackedBatch& batch)> head;
  bool rows_per_token = false;
  std::vector<bool> wanted = {};  // which texts it reads; empty: all
  // Called for each text that it reads, in order, on the calling thread.
  std::function<void(size_t text, const ReadText& read)> merge;

  // Filled in: how each text was read, or why there is no answer.
  std::vector<TextUsage> usage = {};
  std::exception_ptr error = nullptr;
};

struct RunOptions {
  size_t max_tokens = 0;  // longer texts are kLimit; 0: windows
  int64_t layers = 0;     // 0: all
  Progress progress = {};
};

// An error of one task is kept in its run and leaves the others alone; only a cancelled call throws. Texts are taken in
// blocks, so that memory does not grow with their number, and tokenized once for each tokenizer.
std::vector<PassSummary> run_tasks(std::span<TaskRun> runs, std::span<const TextPair> texts, const RunOptions& options);

}  // namespace vsr::engine
