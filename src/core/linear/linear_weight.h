// A linear layer's weight in the form that its type of product wants: packed once, when it is loaded.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "core/linear/linear_type.h"

namespace vsr::core {

// Immutable and thread-safe.
class LinearWeight {
 public:
  virtual ~LinearWeight() = default;
  // input [rows, in], float32 or bfloat16 -> [rows, out], bfloat16 of kBFloat16 and else float32. `bias` is float32
  // [out] or undefined.
  virtual at::Tensor multiply(const at::Tensor& input, const at::Tensor& bias) const = 0;
  virtual int64_t bytes() const = 0;
  // Whether it holds a copy, so that the memory that it was made of is needed no more.
  virtual bool copied() const = 0;
};

// weight: float32 [out, in]. As it is, multiplied by LibTorch.
std::shared_ptr<const LinearWeight> plain_linear_weight(const at::Tensor& weight);
// In the form that is fastest where the weight is; on a GPU float32 and bfloat16 only.
std::shared_ptr<const LinearWeight> pack_linear_weight(const at::Tensor& weight, LinearType type);

}  // namespace vsr::core
