// Weights in the layouts of oneDNN, through the operators that LibTorch has for them.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

#include "core/linear/linear_weight.h"

namespace vsr::core {

// weight: float32 [out, in]; type: float32, or bfloat16 where machine() has it. Multiplies in blocks of rows: one
// product over thousands takes twice as long.
std::shared_ptr<const LinearWeight> pack_for_onednn(const at::Tensor& weight, at::ScalarType type);

// weight: float32 [out, in], at most kMostQuantizedInputs of them. Rows have 8 bits; without Machine::int8 only 7, so
// that no sum of two products saturates, and core/linear/linear_integer.h is the better choice.
std::shared_ptr<const LinearWeight> quantize_for_onednn(const at::Tensor& weight);

}  // namespace vsr::core
