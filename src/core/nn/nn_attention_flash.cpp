#include "core/nn/nn_attention_flash.h"

#include <ATen/ops/_flash_attention_forward.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <tuple>

namespace vsr::core {
namespace {

using at::Tensor;

constexpr int64_t kLargestHead = 256;
constexpr int64_t kHeadStep = 8;

Tensor starts_of(const PackedBatch& batch, at::Device device) {
  return at::tensor(batch.cu_seqlens, at::TensorOptions().dtype(at::kInt)).to(device);
}

int64_t longest(const PackedBatch& batch) {
  int64_t most = 0;
  for (int64_t i = 0; i < batch.sequences(); ++i) most = std::max(most, batch.length(i));
  return most;
}

}  // namespace

bool flash_fits(const Tensor& query, const AttentionSpec& spec) {
  return query.is_cuda() && query.scalar_type() == at::kBFloat16 && spec.head_dim % kHeadStep == 0 &&
         spec.head_dim <= kLargestHead;
}

Tensor attend_by_flash(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionSpec& spec,
                       const PackedBatch& batch) {
  const auto heads = [&](const Tensor& rows) { return rows.unflatten(1, {-1, spec.head_dim}); };
  const Tensor starts = starts_of(batch, query.device());
  const int64_t most = longest(batch);
  // The kernel's windows: tokens to the left and to the right, -1 for all. Its flag for causal attention is for that
  // without a window.
  const int64_t left = spec.window.value_or(-1);
  const int64_t right = spec.causal ? 0 : left;
  const auto output = at::_flash_attention_forward(
      heads(query), heads(key), heads(value), starts, starts, most, most, /*dropout_p=*/0.0,
      /*is_causal=*/spec.causal && !spec.window, /*return_debug_mask=*/false, spec.scale, left, right);
  return std::get<0>(output).flatten(1);
}

}  // namespace vsr::core
