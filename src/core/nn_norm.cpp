#include "core/nn_norm.h"

#include <ATen/ops/layer_norm.h>

namespace vsr::core {

LayerNorm::LayerNorm(const WeightScope& weights, int64_t size, double eps)
    : weight_(weights.take("weight", {size})), bias_(weights.take("bias", {size})), eps_(eps) {}

at::Tensor LayerNorm::forward(const at::Tensor& input) const {
  return at::layer_norm(input, weight_.sizes(), weight_, bias_, eps_);
}

}  // namespace vsr::core
