// Attention within each sequence of a packed batch (arXiv:1706.03762, eq. 1).
#pragma once

#include <ATen/core/Tensor.h>

#include "core/batch.h"

namespace vsr::core {

// query, key, value: [total_tokens, heads * head_dim]; every token attends to all of its own sequence. Scores are scaled
// by 1 / sqrt(head_dim) and normalised by softmax. Returns [total_tokens, heads * head_dim].
at::Tensor attend_full(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value, int64_t heads,
                       const PackedBatch& batch);

}  // namespace vsr::core
