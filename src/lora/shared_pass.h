// One pass of a base model for many adapters: blocks that none of them changes run once, above those each has rows of
// its own in the same batch, so that the base's weights are read once for all.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/batch/batch.h"
#include "core/encoder.h"
#include "lora/adapter.h"

namespace vsr::lora {

// What one adapter, or the base itself, has to read.
struct Branch {
  const Adapter* adapter = nullptr;           // null: the base as it is
  std::vector<int64_t> sequences = {};        // of the batch, ascending; may be empty
  std::vector<core::TokenRange> tokens = {};  // of each sequence, whose states are read; empty: all

  // Sequences come in ascending order; one that comes again adds to its tokens.
  void read(int64_t sequence, core::TokenRange range);
};

// The hidden states of one branch, those that it reads at the least: the last block leaves the others out.
struct BranchStates {
  core::PackedBatch batch;  // its sequences, of the tokens that are left of them
  at::Tensor hidden;        // float32 [total_tokens, hidden_size], after the final norm
};

// Sums over the batches of a call.
struct PassReport {
  int64_t shared_blocks = INT64_MAX;  // blocks that ran once for all branches, in the batch where these are fewest
  int64_t block_rows = 0;             // tokens times blocks that were run
  int64_t separate_rows = 0;          // what one pass for each branch would have run

  void add(const PassReport& other);
};

// `layers`: how many blocks to run, 0 for all. A branch without sequences gets no hidden states. `pause`, if given, is
// called now and then between blocks; what it throws ends the pass.
std::vector<BranchStates> run_shared(const core::Encoder& encoder, const core::PackedBatch& batch,
                                     std::span<const Branch> branches, int64_t layers,
                                     const std::function<void()>& pause = {});

// Adds to `report` what such a pass runs.
void count_rows(const core::Encoder& encoder, const core::PackedBatch& batch, std::span<const Branch> branches,
                int64_t layers, PassReport& report);

}  // namespace vsr::lora
