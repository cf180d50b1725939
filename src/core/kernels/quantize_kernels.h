// Rows to integers and back. Included by the files that compile for one instruction set.
#pragma once

#include "core/kernels/simd.h"

namespace vsr::core::kernels {
namespace {

struct RowExtremes {
  float least, most;  // 0 is within
  float poison;       // 0, or NaN where a value is not finite
};

// `values(i, n)`: n of them, from i on.
template <class Values>
inline RowExtremes extremes_of(int64_t size, const Values& values) {
  Vec least{};
  Vec most{};
  Vec poison{};
  for_pieces(size, [&](int64_t i, int64_t n) {
    const Vec value = values(i, n);
    least = value < least ? value : least;
    most = value > most ? value : most;
    poison += value * 0.0F;
  });
  float low[kLanes], high[kLanes];
  store(low, least);
  store(high, most);
  RowExtremes extremes{0, 0, sum_lanes(poison)};
  for (int64_t i = 0; i < kLanes; ++i) {
    extremes.least = low[i] < extremes.least ? low[i] : extremes.least;
    extremes.most = high[i] > extremes.most ? high[i] : extremes.most;
  }
  return extremes;
}

constexpr float kMagic = 12582912.0F;  // 1.5 * 2^23: adding it rounds magnitudes below 2^22

inline float rounded(float value) { return (value + kMagic) - kMagic; }

// A value that is no number becomes any integer.
inline VecInt to_integers(Vec scaled) { return (VecInt)(scaled + splat(kMagic)) - 0x4B400000; }

// Below this the reciprocal would be infinite; such a row is zero as far as anything that follows can tell.
inline float inverse_of(float scale) { return scale > 1e-37F ? 1.0F / scale : 0.0F; }

template <class T>
inline void quantize_row(const QuantizeRows<T, uint8_t>& task, const T* input, int64_t row) {
  const auto values = [&](int64_t i, int64_t n) { return load_piece(input + i, n); };
  const RowExtremes extremes = extremes_of(task.size, values);
  const float most = static_cast<float>(task.most);
  const float scale = extremes.most / most - extremes.least / most;
  const float inverse = inverse_of(scale);
  const float zero = rounded(-extremes.least * inverse);
  task.scales[row] = scale + extremes.poison;
  task.zeros[row] = zero;
  const int32_t limit = task.most;
  for_pieces(task.size, [&](int64_t i, int64_t n) {
    // Both roundings together may reach beyond the range by one.
    const VecInt integers = to_integers(values(i, n) * inverse + zero);
    const VecInt positive = integers < 0 ? VecInt{} : integers;
    const VecByte bytes = __builtin_convertvector(positive > limit ? splat(limit) : positive, VecByte);
    __builtin_memcpy(task.output + row * task.output_stride + i, &bytes, static_cast<unsigned long>(n));
  });
}

template <class T>
inline void quantize_row(const QuantizeRows<T, int16_t>& task, const T* input, int64_t row) {
  const auto values = [&](int64_t i, int64_t n) { return load_piece(input + i, n) * load_piece(task.factors + i, n); };
  const RowExtremes extremes = extremes_of(task.size, values);
  const float largest = extremes.most > -extremes.least ? extremes.most : -extremes.least;
  const float scale = largest / static_cast<float>(task.most);
  const float inverse = inverse_of(scale);
  task.scales[row] = scale + extremes.poison;
  for_pieces(task.size, [&](int64_t i, int64_t n) {
    const VecInt integers = to_integers(values(i, n) * inverse);
    const VecHalf halves = __builtin_convertvector(integers & 0xFFFF, VecHalf);
    __builtin_memcpy(task.output + row * task.output_stride + i, &halves, static_cast<unsigned long>(2 * n));
  });
}

template <class T, class Integer>
void quantize_rows(const QuantizeRows<T, Integer>& task) {
  for (int64_t row = 0; row < task.rows; ++row) quantize_row(task, task.input + row * task.input_stride, row);
}

void scale_rows(const ScaleRows& task) {
  for (int64_t row = 0; row < task.rows; ++row) {
    float* values = task.values + row * task.size;
    const float scale = task.scales[row];
    const float zero = task.zeros[row];
    for_pieces(task.size, [&](int64_t i, int64_t n) {
      Vec value = (load_piece(values + i, n) - load_piece(task.sums + i, n) * zero) * scale;
      if (task.bias != nullptr) value += load_piece(task.bias + i, n);
      store_piece(values + i, value, n);
    });
  }
}

}  // namespace
}  // namespace vsr::core::kernels
