// Which rows of a batch are read after a block: the others need no queries, no feed-forward layer and no norm.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/batch/batch.h"

namespace vsr::core {

// Of each sequence some neighbouring tokens. The source batch outlives it.
class KeptRows {
 public:
  // All of them.
  explicit KeptRows(const PackedBatch& source) : source_(&source) {}
  // `ranges`: one for each sequence, none empty.
  KeptRows(const PackedBatch& source, std::vector<TokenRange> ranges);

  const PackedBatch& source() const { return *source_; }
  // The kept tokens alone, with the adapters that change them.
  const PackedBatch& batch() const { return keeps_all() ? *source_ : kept_; }
  bool keeps_all() const { return ranges_.empty(); }
  // Those of sequence i.
  TokenRange range(int64_t i) const;

  // [total_tokens, ...] of the source -> [kept tokens, ...]; the tensor itself if all are kept.
  at::Tensor take(const at::Tensor& rows) const;
  // The way back; rows that were not kept are zero.
  at::Tensor spread(const at::Tensor& kept) const;

 private:
  int64_t kept_before(int64_t row) const;

  const PackedBatch* source_;
  std::vector<TokenRange> ranges_;  // empty: all
  PackedBatch kept_;
  at::Tensor rows_;  // int64 [kept tokens], of the source
};

}  // namespace vsr::core
