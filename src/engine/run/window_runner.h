// Runs texts of any length through models: windows of all texts, sorted by length, in packed batches, one pass of each
// base model for all the tasks that it answers.
#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/batch/batch.h"
#include "engine/load/loaded_model.h"
#include "engine/run/admission.h"
#include "engine/run/types.h"
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

// What tells heads apart: runs with equal ones can be answered together, whatever call they are of.
struct HeadIdentity {
  const void* parts = nullptr;
  bool normalize = false;
  friend bool operator==(const HeadIdentity&, const HeadIdentity&) = default;
};

// One task's part of a call.
struct TaskRun {
  std::string name;
  std::shared_ptr<const LoadedModel> model;
  std::shared_ptr<const lora::Adapter> adapter = nullptr;
  HeadIdentity head_identity = {};
  // From hidden states to [sequences, cols], or [total_tokens, cols] where rows_per_token says so. Does not change what
  // it captures: it runs on several threads.
  std::function<at::Tensor(const at::Tensor& hidden, const core::PackedBatch& batch)> head;
  bool rows_per_token = false;
  // The tokens of sequence i of a batch whose hidden states the head takes.
  std::function<core::TokenRange(const core::PackedBatch& batch, int64_t i)> tokens_read;
  size_t unpooled_tokens = 0;     // at the front of each encoding, template included, that pooling leaves out
  std::vector<bool> wanted = {};  // which texts it reads; empty: all
  // Called for each text that it reads, in order, on the calling thread.
  std::function<void(size_t text, const ReadText& read)> merge;

  // Filled in: how each text was read, or why there is no answer.
  std::vector<TextUsage> usage = {};
  std::exception_ptr error = nullptr;

  bool wants(size_t text) const { return wanted.empty() || wanted[text]; }
};

struct RunOptions {
  size_t max_tokens = 0;  // longer texts are kLimit; 0: windows
  int64_t layers = 0;     // 0: all
  Progress progress = {};
  base::CallLimits limits = {};
  bool specials_as_text = false;  // special tokens that a text spells out are words of it
};

// An error of one task is kept in its run and leaves the others alone; the call throws when it is cancelled, late, or
// finds the queue full. Texts are taken in blocks, so that memory does not grow with their number, and tokenized once
// for each tokenizer.
std::vector<PassSummary> run_tasks(std::span<TaskRun> runs, std::span<const TextPair> texts, const RunOptions& options,
                                   Admission& admission);

}  // namespace vsr::engine
