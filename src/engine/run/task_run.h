// One task's part of a call: what it runs, and what became of it.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/batch/batch.h"
#include "engine/calls/result.h"
#include "engine/model/loaded_model.h"
#include "engine/run/window_output.h"
#include "lora/adapter.h"

namespace vsr::engine {

// What tells heads apart: runs with equal ones can be answered together, whatever call they are of.
struct HeadIdentity {
  const void* parts = nullptr;
  bool normalize = false;
  friend bool operator==(const HeadIdentity&, const HeadIdentity&) = default;
};

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

}  // namespace vsr::engine
