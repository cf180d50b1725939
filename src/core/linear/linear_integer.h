// Weights of 8 bits for processors without dot products of bytes, through vsr's own kernel.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "core/linear/linear_weight.h"

namespace vsr::core {

// weight: float32 [out, in], at most kMostQuantizedInputs of them. Such a processor multiplies 16 bits as fast as 8, so
// rows have 12 and take what the balancing of columns asks of them: what is lost is what the weights lose.
std::shared_ptr<const LinearWeight> quantize_for_integers(const at::Tensor& weight);

}  // namespace vsr::core
