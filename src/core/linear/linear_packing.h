// Which form a weight is packed into.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "core/linear/linear_type.h"
#include "core/linear/linear_weight.h"

namespace vsr::core {

// weight: float32 [out, in]. In the form that is fastest where the weight is; on a GPU float32 and bfloat16 only.
std::shared_ptr<const LinearWeight> pack_linear_weight(const at::Tensor& weight, LinearType type);

}  // namespace vsr::core
