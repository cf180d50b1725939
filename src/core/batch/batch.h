// A ragged batch: the tokens of all sequences in one row, without padding.
#pragma once

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/linear/row_updates.h"
#include "text/tokens/encoding.h"

namespace vsr::core {

// Tokens begin .. end - 1 of a sequence.
struct TokenRange {
  int64_t begin;
  int64_t end;
  friend bool operator==(const TokenRange&, const TokenRange&) = default;
  // The least range that holds both.
  TokenRange joined(const TokenRange& other) const { return {std::min(begin, other.begin), std::max(end, other.end)}; }
};

struct PackedBatch {
  at::Tensor input_ids;              // int64 [total_tokens]
  at::Tensor type_ids;               // int64 [total_tokens]
  at::Tensor position_ids;           // int64 [total_tokens], from 0 in each sequence
  std::vector<int64_t> cu_seqlens;   // n + 1 prefix sums: sequence i is rows cu_seqlens[i] .. cu_seqlens[i + 1]
  std::vector<RowGroup> adapted;     // rows that adapters change, disjoint; the others are the base's
  std::vector<int64_t> pooled_from;  // the first token of each sequence that pooling sees; empty: 0 of all

  int64_t sequences() const { return static_cast<int64_t>(cu_seqlens.size()) - 1; }
  int64_t total_tokens() const { return cu_seqlens.back(); }
  int64_t begin(int64_t i) const { return cu_seqlens[static_cast<size_t>(i)]; }
  int64_t length(int64_t i) const { return begin(i + 1) - begin(i); }
  TokenRange whole(int64_t i) const { return {0, length(i)}; }
};

// `encodings` must not be empty, nor any of them; ids are the tokenizer's and are not checked again.
PackedBatch pack(std::span<const text::Encoding> encodings);
// One sequence that goes on at `first_position`. `ids` must not be empty.
PackedBatch pack_tokens(std::span<const int32_t> ids, int64_t first_position);

// A run of neighbouring sequences of one length: a dense batch inside the ragged one.
struct EqualRun {
  int64_t first_row;
  int64_t sequences;
  int64_t length;
};
std::vector<EqualRun> equal_runs(const PackedBatch& batch);

}  // namespace vsr::core
