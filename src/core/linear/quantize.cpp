#include "core/linear/quantize.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/kernels/path.h"
#include "core/memory/buffers.h"
#include "core/schedule/parallel.h"

namespace vsr::core {
namespace {

using at::Tensor;

constexpr int32_t kWeightLimit = 127;

template <class T, class Integer>
void in_pieces(const kernels::QuantizeRows<T, Integer>& task) {
  parallel_rows(task.rows, task.size, [&](int64_t begin, int64_t end) {
    kernels::QuantizeRows<T, Integer> piece = task;
    piece.input += begin * task.input_stride;
    piece.output += begin * task.output_stride;
    piece.scales += begin;
    if (piece.zeros != nullptr) piece.zeros += begin;
    piece.rows = end - begin;
    if constexpr (std::is_same_v<Integer, uint8_t>) {
      kernels::of<T>().quantize(piece);
    } else {
      kernels::of<T>().quantize_wide(piece);
    }
  });
}

template <class Integer>
void quantize(const Tensor& input, const Tensor& factors, const QuantizedMatrix& result, int32_t most) {
  kernels::with_type_of(input, [&]<class T>() {
    in_pieces<T, Integer>({.input = kernels::data<T>(input),
                           .output = kernels::data<Integer>(result.integers),
                           .scales = kernels::data<float>(result.scales),
                           .zeros = kernels::data_or_null<float>(result.zeros),
                           .rows = input.size(0),
                           .size = input.size(1),
                           .input_stride = input.stride(0),
                           .output_stride = result.integers.size(1),
                           .most = most,
                           .factors = kernels::data_or_null<float>(factors)});
  });
}

// To the nearest integer, the even one of two; what is added leaves no bits for a fraction.
float rounded(float value) {
  constexpr float kShift = 1.5F * (1 << 23);
  return (value + kShift) - kShift;
}

// One row, of which each value is divided by its factor; returns its scale.
float quantize_weights(const float* row, const float* factors, int64_t size, int8_t* integers) {
  float most = 0;
  for (int64_t i = 0; i < size; ++i) most = std::max(most, std::abs(row[i] / factors[i]));
  const float scale = std::max(most / kWeightLimit, 1e-30F);
  for (int64_t i = 0; i < size; ++i) {
    const float value = std::clamp<float>(rounded(row[i] / factors[i] / scale), -kWeightLimit, kWeightLimit);
    integers[i] = static_cast<int8_t>(value);
  }
  return scale;
}

Tensor floats(int64_t count) { return at::empty({count}, at::TensorOptions().dtype(at::kFloat)); }

}  // namespace

Tensor balancing_factors(const Tensor& weight) {
  constexpr float kLeast = 1e-3F;  // also of a column without weights
  constexpr int64_t kColumns = 64;
  const Tensor rows = weight.contiguous();
  const int64_t size = rows.size(1);
  const Tensor factors = at::zeros({size}, at::TensorOptions().dtype(at::kFloat));
  auto* most = kernels::data<float>(factors);
  parallel_rows((size + kColumns - 1) / kColumns, kColumns * rows.size(0), [&](int64_t begin, int64_t end) {
    for (int64_t row = 0; row < rows.size(0); ++row) {
      const float* values = rows.const_data_ptr<float>() + row * size;
      for (int64_t i = begin * kColumns; i < std::min(end * kColumns, size); ++i) {
        most[i] = std::max(most[i], std::abs(values[i]));
      }
    }
  });
  const float largest = std::max(*std::max_element(most, most + size), 1e-30F);
  for (int64_t i = 0; i < size; ++i) most[i] = std::max(std::sqrt(most[i] / largest), kLeast);
  return factors;
}

QuantizedMatrix quantize_weight(const Tensor& weight, const Tensor& factors) {
  const Tensor rows = weight.contiguous();
  const int64_t size = rows.size(1);
  const Tensor divisors = factors.defined() ? factors : at::ones({size}, at::TensorOptions().dtype(at::kFloat));
  const QuantizedMatrix result{at::empty(rows.sizes(), at::TensorOptions().dtype(at::kChar)), floats(rows.size(0)), {}};
  parallel_rows(rows.size(0), size, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      kernels::data<float>(result.scales)[row] =
          quantize_weights(rows.const_data_ptr<float>() + row * size, divisors.const_data_ptr<float>(), size,
                           kernels::data<int8_t>(result.integers) + row * size);
    }
  });
  return result;
}

QuantizedMatrix quantize_to_bytes(const Tensor& input, int32_t most) {
  const int64_t rows = input.size(0);
  QuantizedMatrix result{empty_buffer(input.sizes(), at::kByte), floats(rows), floats(rows)};
  quantize<uint8_t>(input, {}, result, most);
  return result;
}

QuantizedMatrix quantize_to_shorts(const Tensor& input, const Tensor& factors, int32_t most) {
  const int64_t rows = input.size(0);
  const int64_t size = input.size(1);
  QuantizedMatrix result{empty_buffer({rows, size + size % 2}, at::kShort), floats(rows), {}};
  if (size % 2 != 0) result.integers.select(1, size).zero_();
  quantize<int16_t>(input, factors, result, most);
  return result;
}

}  // namespace vsr::core
