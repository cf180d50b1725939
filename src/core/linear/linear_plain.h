// Weights as they are, multiplied by LibTorch's own product.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "core/linear/linear_weight.h"

namespace vsr::core {

// weight: float32 [out, in].
std::shared_ptr<const LinearWeight> plain_linear_weight(const at::Tensor& weight);
// The same in the type of `weight`, which is a copy that only the result holds.
std::shared_ptr<const LinearWeight> plain_copy(const at::Tensor& weight);

}  // namespace vsr::core
