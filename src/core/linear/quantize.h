// Matrices as integers with a scale per row: the rows of a weight, once, and those of a layer's input, as they come
// (arXiv:2206.01861, 4.1).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace vsr::core {

// value = (integer - zero) * scale, by row
struct QuantizedMatrix {
  at::Tensor integers;  // [rows, size]
  at::Tensor scales;    // float32 [rows]; NaN where the row has a value that is not finite
  at::Tensor zeros;     // float32 [rows], or undefined: all 0
};

// Sums of this many products of two bytes fit in 32 bits. Layers with more inputs stay float32.
inline constexpr int64_t kMostQuantizedInputs = 65536;

// weight: float32 [out, in] -> int8, none below -127. With factors, float32 [in], each column is divided by its own.
QuantizedMatrix quantize_weight(const at::Tensor& weight, const at::Tensor& factors = {});

// Float32 [in], above 0 and at most 1: what a layer's inputs are multiplied and its weight's columns divided by, so
// that columns of large weights leave bits to the others (arXiv:2211.10438, with the weights alone to judge by). Inputs
// lose bits in turn: for wide integers only.
at::Tensor balancing_factors(const at::Tensor& weight);

// input: float32 or bfloat16 [rows, in], rows may be strided.
// -> uint8 [rows, in], 0 .. most. Each row's range is spread over all of them, since what leaves an activation function
// is far from even around 0.
QuantizedMatrix quantize_to_bytes(const at::Tensor& input, int32_t most);
// Times the factors, float32 [in] -> int16 [rows, in rounded up to even], -most .. most, no zeros; what was rounded up
// is 0.
QuantizedMatrix quantize_to_shorts(const at::Tensor& input, const at::Tensor& factors, int32_t most);

}  // namespace vsr::core
