#include "core/nn_norm.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/rms_norm.h>

namespace vsr::core {

LayerNorm::LayerNorm(const WeightScope& weights, int64_t size, double eps, Bias bias)
    : id_(weights.add_module(size)), weight_(weights.take("weight", {size})), eps_(eps) {
  if (bias == Bias::kRequired) bias_ = weights.take("bias", {size});
}

at::Tensor LayerNorm::forward(const at::Tensor& input) const {
  return at::layer_norm(input, weight_.sizes(), weight_, bias_, eps_);
}

at::Tensor LayerNorm::forward(const at::Tensor& input, const PackedBatch& batch) const {
  at::Tensor output = forward(input);
  apply_updates(batch.adapted, id_, input, bias_, output);
  return output;
}

RmsNorm::RmsNorm(const WeightScope& weights, int64_t size, double eps, Weight weight)
    : weight_(weights.take("weight", {size})), eps_(eps) {
  if (weight == Weight::kPlusOne) weight_ = weight_ + 1;  // a copy: what was taken may be a view of the file
}

at::Tensor RmsNorm::forward(const at::Tensor& input) const {
  return at::rms_norm(input, weight_.sizes(), weight_, eps_);
}

}  // namespace vsr::core
