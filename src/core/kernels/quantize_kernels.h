// Rows to bytes and back. Included by the files that compile for one instruction set.
#pragma once

#include "core/kernels/simd.h"

namespace vsr::core::kernels {
namespace {

struct RowRange {
  float largest;  // magnitude
  float poison;   // 0, or NaN where a value is not finite
};

template <class T>
inline RowRange range_of(const T* row, int64_t size) {
  Vec largest{};
  Vec poison{};
  for_pieces(size, [&](int64_t i, int64_t n) {
    const Vec value = load_piece(row + i, n);
    const Vec magnitude = value < 0.0F ? -value : value;
    largest = magnitude > largest ? magnitude : largest;
    poison += value * 0.0F;
  });
  float lanes[kLanes];
  store(lanes, largest);
  float found = 0;
  for (int64_t i = 0; i < kLanes; ++i) found = lanes[i] > found ? lanes[i] : found;
  return {found, sum_lanes(poison)};
}

// `scaled` holds magnitudes of at most 127, or NaN, whose byte means nothing.
inline VecByte to_bytes(Vec scaled, int32_t zero) {
  const VecInt rounded = (VecInt)(scaled + splat(12582912.0F)) - 0x4B400000;
  return __builtin_convertvector((rounded + zero) & 0xFF, VecByte);
}

template <class T>
void quantize_rows(const QuantizeRows<T>& task) {
  for (int64_t row = 0; row < task.rows; ++row) {
    const T* input = task.input + row * task.input_stride;
    uint8_t* output = task.output + row * task.size;
    const RowRange range = range_of(input, task.size);
    const float limit = static_cast<float>(task.limit);
    const float scale = range.largest / limit;
    // Below this the reciprocal would be infinite; such a row is zero as far as anything that follows can tell.
    const float inverse = scale > 1e-37F ? 1.0F / scale : 0.0F;
    task.scales[row] = scale + range.poison;
    for_pieces(task.size, [&](int64_t i, int64_t n) {
      const VecByte bytes = to_bytes(load_piece(input + i, n) * inverse, task.zero);
      __builtin_memcpy(output + i, &bytes, static_cast<unsigned long>(n));
    });
  }
}

void scale_rows(const ScaleRows& task) {
  for (int64_t row = 0; row < task.rows; ++row) {
    float* values = task.values + row * task.size;
    const float scale = task.scales[row];
    for_pieces(task.size, [&](int64_t i, int64_t n) {
      Vec value = load_piece(values + i, n) * scale;
      if (task.bias != nullptr) value += load_piece(task.bias + i, n);
      store_piece(values + i, value, n);
    });
  }
}

}  // namespace
}  // namespace vsr::core::kernels
