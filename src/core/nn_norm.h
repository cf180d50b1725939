// Layer normalisation (arXiv:1607.06450).
#pragma once

#include <ATen/core/Tensor.h>

#include "core/weights.h"

namespace vsr::core {

class LayerNorm {
 public:
  // Takes "weight" and "bias", both [size].
  LayerNorm(const WeightScope& weights, int64_t size, double eps);
  // Over the last dimension.
  at::Tensor forward(const at::Tensor& input) const;

 private:
  at::Tensor weight_;
  at::Tensor bias_;
  double eps_;
};

}  // namespace vsr::core
