// Norms, rotary embedding and activations, row by row. Included by the files that compile for one instruction set.
#pragma once

#include "core/kernels/simd.h"

namespace vsr::core::kernels {
namespace {

struct Moments {
  float shift;  // subtracted from the row
  float scale;  // then multiplied by it
};

inline float reciprocal_root(float value) { return 1.0F / __builtin_sqrtf(value); }

// Two passes over a row that is in the nearest cache: as exact as Welford's, and faster.
inline Moments moments(const float* row, int64_t size, Norm norm, float eps) {
  const float count = static_cast<float>(size);
  float mean = 0;
  if (norm == Norm::kLayer) {
    Vec sum{};
    for_pieces(size, [&](int64_t i, int64_t n) { sum += load_piece(row + i, n); });
    mean = sum_lanes(sum) / count;
  }
  Vec squares{};
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    const Vec distance = load(row + i) - mean;
    squares += distance * distance;
  }
  float sum = sum_lanes(squares);
  for (; i < size; ++i) sum += (row[i] - mean) * (row[i] - mean);
  return {mean, reciprocal_root(sum / count + eps)};
}

// s of one row: in place where it is stored, else in `spare`.
template <class T>
inline const float* add_row(const NormRows<T>& task, int64_t row) {
  const int64_t offset = row * task.size;
  if (task.delta == nullptr) return task.hidden + offset;
  for_pieces(task.size, [&](int64_t i, int64_t n) {
    Vec value = load_piece(task.delta + offset + i, n);
    if (task.hidden != nullptr) value += load_piece(task.hidden + offset + i, n);
    store_piece(task.sum + offset + i, value, n);
  });
  return task.sum + offset;
}

template <class T>
void norm_rows(const NormRows<T>& task) {
  for (int64_t row = 0; row < task.rows; ++row) {
    const int64_t offset = row * task.size;
    const float* input = add_row(task, row);
    const Moments m = moments(input, task.size, task.norm, task.eps);
    for_pieces(task.size, [&](int64_t i, int64_t n) {
      Vec value = (load_piece(input + i, n) - m.shift) * m.scale * load_piece(task.weight + i, n);
      if (task.bias != nullptr) value += load_piece(task.bias + i, n);
      if (task.normed != nullptr) store_piece(task.normed + offset + i, value, n);
      if (task.output != nullptr) store_piece(task.output + offset + i, value, n);
    });
  }
}

template <class T>
inline float head_scale(const HeadRows<T>& task, const T* head) {
  float sum = 0;
  Vec squares{};
  for_pieces(2 * task.half, [&](int64_t i, int64_t n) {
    const Vec value = load_piece(head + i, n);
    squares += value * value;
  });
  sum = sum_lanes(squares);
  return reciprocal_root(sum / static_cast<float>(2 * task.half) + task.eps);
}

template <class T>
inline void turn_head(const HeadRows<T>& task, T* head, const float* cos, const float* sin) {
  const int64_t half = task.half;
  const float scale = task.norm_weight == nullptr ? 1.0F : head_scale(task, head);
  for_pieces(half, [&](int64_t i, int64_t n) {
    Vec first = load_piece(head + i, n);
    Vec second = load_piece(head + half + i, n);
    if (task.norm_weight != nullptr) {
      first = first * scale * load_piece(task.norm_weight + i, n);
      second = second * scale * load_piece(task.norm_weight + half + i, n);
    }
    const Vec c = load_piece(cos + i, n);
    const Vec s = load_piece(sin + i, n);
    store_piece(head + i, first * c - second * s, n);
    store_piece(head + half + i, second * c + first * s, n);
  });
}

template <class T>
void turn_heads(const HeadRows<T>& task) {
  for (int64_t token = 0; token < task.tokens; ++token) {
    T* row = task.rows + token * task.stride;
    for (int64_t h = 0; h < task.heads; ++h) {
      turn_head(task, row + h * 2 * task.half, task.cos + token * task.half, task.sin + token * task.half);
    }
  }
}

// x times the normal distribution function, from the complementary error function (Abramowitz and Stegun, 7.1.26,
// within 1.5e-7), so that nothing cancels on the negative side.
inline Vec gelu(Vec x) {
  const Vec magnitude = x < 0.0F ? -x : x;
  const Vec z = magnitude * 0.70710678F;
  const Vec t = 1.0F / (z * 0.3275911F + 1.0F);
  Vec p = splat(1.061405429F);
  p = p * t - 1.453152027F;
  p = p * t + 1.421413741F;
  p = p * t - 0.284496736F;
  p = p * t + 0.254829592F;
  const Vec tail = x * (p * t * 0.5F) * exponential(-(z * z));
  return x > 0.0F ? x - tail : tail;
}

template <Gate act>
inline Vec activated(Vec x) {
  if constexpr (act == Gate::kGelu) return gelu(x);
  if constexpr (act == Gate::kRelu) return x < 0.0F ? Vec{} : x;
  if constexpr (act == Gate::kSilu) return x / (exponential(-x) + 1.0F);
  // 0.5 (1 + tanh u) is the logistic function of 2 u.
  const Vec u2 = x * (x * x * 0.044715F + 1.0F) * 1.5957691216F;
  return x / (exponential(-u2) + 1.0F);
}

template <class T, Gate act>
void gate_rows_of(const GateRows<T>& task) {
  for (int64_t row = 0; row < task.rows; ++row) {
    const T* gate = task.gate + row * task.gate_stride;
    const T* up = task.up == nullptr ? nullptr : task.up + row * task.up_stride;
    T* output = task.output + row * task.output_stride;
    for_pieces(task.size, [&](int64_t i, int64_t n) {
      Vec value = activated<act>(load_piece(gate + i, n));
      if (up != nullptr) value *= load_piece(up + i, n);
      store_piece(output + i, value, n);
    });
  }
}

template <class T>
void gate_rows(const GateRows<T>& task) {
  switch (task.act) {
    case Gate::kGelu:
      return gate_rows_of<T, Gate::kGelu>(task);
    case Gate::kGeluTanh:
      return gate_rows_of<T, Gate::kGeluTanh>(task);
    case Gate::kRelu:
      return gate_rows_of<T, Gate::kRelu>(task);
    case Gate::kSilu:
      return gate_rows_of<T, Gate::kSilu>(task);
  }
}

}  // namespace
}  // namespace vsr::core::kernels
