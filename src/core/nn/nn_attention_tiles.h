// Attention by vsr's own kernel: tiles of queries against blocks of keys, no masks, no scores in memory.
#pragma once

#include <ATen/core/Tensor.h>

#include "core/batch/kept_rows.h"
#include "core/nn/nn_attention_spec.h"

namespace vsr::core {

// Whether the kernel can run on these, and is the fastest here.
bool tiles_fit(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value);

// What attend() does, of tensors that fit.
at::Tensor attend_in_tiles(const at::Tensor& query, const at::Tensor& key, const at::Tensor& value,
                           const AttentionSpec& spec, const KeptRows& rows);

}  // namespace vsr::core
