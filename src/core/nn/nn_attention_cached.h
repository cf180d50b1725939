// Attention of new tokens to those that a cache remembers, and to each other.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/nn/nn_attention_spec.h"

namespace vsr::core {

// query: [new, heads * head_dim]; key, value: [all, kv_heads * head_dim], of which the last `new` rows belong to the
// queries' own tokens. `spec` is causal. Returns [new, heads * head_dim]. Scores of all against all are never stored,
// and a window's cost does not grow with what came before it.
at::Tensor attend_cached(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                         const AttentionSpec& spec);

}  // namespace vsr::core
