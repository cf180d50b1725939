// A linear layer's weight in the form that its type of product wants: packed once, when it is loaded.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

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

}  // namespace vsr::core
