#include "core/nn_linear.h"

#include <ATen/ops/linear.h>

namespace vsr::core {

Linear::Linear(const WeightScope& weights, int64_t in_features, int64_t out_features, Bias bias)
    : id_(weights.add_module(out_features, in_features)), weight_(weights.take("weight", {out_features, in_features})) {
  if (bias == Bias::kRequired) bias_ = weights.take("bias", {out_features});
}

at::Tensor Linear::forward(const at::Tensor& input) const {
  return bias_.defined() ? at::linear(input, weight_, bias_) : at::linear(input, weight_);
}

at::Tensor Linear::forward(const at::Tensor& input, const PackedBatch& batch) const {
  at::Tensor output = forward(input);
  apply_updates(batch.adapted, id_, input, bias_, output);
  return output;
}

}  // namespace vsr::core
