#include "core/nn/nn_attention_dense.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <limits>

namespace vsr::core {

using at::Tensor;

Tensor attend_dense(const Tensor& query, const Tensor& key, const Tensor& value, const std::optional<Tensor>& mask,
                    bool causal, double scale) {
  return at::scaled_dot_product_attention(query, key, value, mask, 0.0, causal, scale);
}

Tensor band_mask(int64_t queries, int64_t keys, int64_t shift, const Band& band, const Tensor& like) {
  const auto whole = like.options().dtype(at::kLong);
  const Tensor distance = at::arange(shift, shift + queries, whole).unsqueeze(1) - at::arange(keys, whole);
  Tensor seen = distance.ge(band.causal ? 0 : -band.window.value_or(keys));
  if (band.window) seen = seen & distance.le(*band.window);
  const Tensor zero = at::zeros({}, like.options());
  return at::where(seen, zero, zero - std::numeric_limits<double>::infinity());
}

}  // namespace vsr::core
