// Weights of float32 in the layout of vsr's own kernel.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "core/linear/linear_weight.h"

namespace vsr::core {

// weight: float32 [out, in], in the processor's memory. Holds a copy, and `weight` too for LibTorch's own product,
// which the plain path takes.
std::shared_ptr<const LinearWeight> pack_floats(const at::Tensor& weight);

}  // namespace vsr::core
