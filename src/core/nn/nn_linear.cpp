#include "core/nn/nn_linear.h"

#include "core/linear/linear_packing.h"
#include "core/linear/linear_plain.h"

namespace vsr::core {

Linear::Linear(const WeightScope& weights, int64_t in_features, int64_t out_features, Bias bias)
    : id_(weights.add_module(out_features, in_features)) {
  const at::Tensor weight = weights.take("weight", {out_features, in_features});
  // Outside the blocks a layer runs once for each text or token to come, not for all that were read.
  weight_ =
      weights.in_block() ? pack_linear_weight(weight, weights.store().linear_type()) : plain_linear_weight(weight);
  if (weight_->copied()) weights.replaced(static_cast<int64_t>(weight.nbytes()), weight_->bytes());
  if (bias == Bias::kRequired) bias_ = weights.take("bias", {out_features});
}

at::Tensor Linear::forward(const at::Tensor& input) const { return weight_->multiply(input, bias_); }

at::Tensor Linear::forward(const at::Tensor& input, const PackedBatch& batch) const {
  at::Tensor output = forward(input);
  apply_updates(batch.adapted, id_, input, bias_, output);
  return output;
}

}  // namespace vsr::core
