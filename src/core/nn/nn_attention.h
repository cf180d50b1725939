// Attention within each sequence of a packed batch (arXiv:1706.03762, eq. 1).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

#include "core/batch/batch.h"
#include "core/batch/kept_rows.h"

namespace vsr::core {

struct AttentionSpec {
  int64_t heads;
  int64_t kv_heads;  // a divisor of heads: each serves heads / kv_heads neighbouring query heads
  int64_t head_dim;
  double scale;                                  // of the scores, before the softmax
  bool causal = false;                           // token i sees j <= i
  std::optional<int64_t> window = std::nullopt;  // token i sees |i - j| <= window; without one, all of its sequence
};

// query: [kept tokens, heads * head_dim]; key, value: [total_tokens, kv_heads * head_dim] of the source; views of a
// fused projection will do. Returns [kept tokens, heads * head_dim]. Time and memory of windowed attention grow with
// the tokens times the window, and scores of all against all are never stored.
at::Tensor attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const AttentionSpec& spec,
                  const KeptRows& rows);

}  // namespace vsr::core
