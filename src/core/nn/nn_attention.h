// Attention within each sequence of a packed batch (arXiv:1706.03762, eq. 1).
#pragma once

#include <ATen/core/Tensor.h>

#include "core/batch/kept_rows.h"
#include "core/nn/nn_attention_spec.h"

namespace vsr::core {

// query: [kept tokens, heads * head_dim]; key, value: [total_tokens, kv_heads * head_dim] of the source; views of a
// fused projection will do. Returns [kept tokens, heads * head_dim]. Time and memory of windowed attention grow with
// the tokens times the window, and scores of all against all are never stored.
at::Tensor attend(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, const AttentionSpec& spec,
                  const KeptRows& rows);

}  // namespace vsr::core
