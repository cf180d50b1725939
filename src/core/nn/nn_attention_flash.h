// Attention on a GPU by LibTorch's flash kernel (arXiv:2307.08691): packed sequences as they are, no masks.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/batch/batch.h"
#include "core/nn/nn_attention_spec.h"

namespace vsr::core {

// Whether the kernel can run on these: bfloat16 on a GPU, heads of a size that it was made for.
bool flash_fits(const at::Tensor& query, const AttentionSpec& spec);

// query: [total_tokens, heads * head_dim]; key, value: [total_tokens, kv_heads * head_dim], as in attend().
at::Tensor attend_by_flash(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const AttentionSpec& spec, const PackedBatch& batch);

}  // namespace vsr::core
