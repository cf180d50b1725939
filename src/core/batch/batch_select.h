// Some sequences of a packed batch, and their rows.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "core/batch/batch.h"

namespace vsr::core {

// Sequences of `source` in any order, each as often as it is named. The source outlives it.
class SelectedSequences {
 public:
  SelectedSequences(const PackedBatch& source, std::span<const int64_t> sequences);

  // The batch of these alone; adapters and PackedBatch::pooled_from stay behind.
  PackedBatch batch() const;
  // Their rows of `all` [total_tokens, ...]; a view where they are neighbours, in order.
  at::Tensor rows(const at::Tensor& all) const;

 private:
  const PackedBatch& source_;
  std::vector<int64_t> cu_seqlens_{0};
  std::vector<TokenRange> ranges_;  // of the source's rows
};

}  // namespace vsr::core
