// The kernels of a forward pass: what runs between the matrix products. Plain loops over plain memory, compiled once
// for each instruction set; the wrappers in core/nn_*.h check shapes, allocate and spread the work over threads.
// All kernels are thread-safe, allocate nothing and pass NaN on. Strides count elements.
#pragma once

#include <cstdint>

#include "core/kernels/isa.h"

namespace vsr::core::kernels {

// bfloat16 as stored.
struct Bf16 {
  uint16_t bits;
};

enum class Norm { kLayer, kRms };
enum class Gate { kGelu, kGeluTanh, kRelu, kSilu };

// Rows of hidden states: s = hidden + delta, then n = the norm of s.
template <class T>
struct NormRows {
  Norm norm;
  const float* weight;  // [size]
  const float* bias;    // [size] or null
  float eps;
  int64_t rows, size;
  const float* hidden;  // [rows, size], contiguous, or null: s = delta
  const T* delta;       // [rows, size], contiguous, or null: s = hidden
  float* sum;           // s, or null; may be `hidden`
  float* normed;        // n in float32, or null; may be `hidden`
  T* output;            // n, or null
};

// Heads that are normalised one by one (root mean square) and turned (rotary embedding), in place.
template <class T>
struct HeadRows {
  T* rows;  // [tokens, heads * 2 * half] with `stride` from row to row
  int64_t tokens, heads, half, stride;
  const float* cos;  // [tokens, half]
  const float* sin;
  const float* norm_weight;  // [2 * half], or null: not normalised
  float eps;
};

// output = act(gate) * up; without `up` act(gate). `output` may be `gate`.
template <class T>
struct GateRows {
  Gate act;
  const T* gate;
  const T* up;  // or null
  T* output;
  int64_t rows, size, gate_stride, up_stride, output_stride;
};

// Rows as integers with a scale each: x = (integer - zero) * scale. uint8: 0 .. `most`, and the zero is where the row's
// range wants it; int16: -most .. most around 0, an even spread, of each value times the factor of its column.
template <class T, class Integer>
struct QuantizeRows {
  const T* input;
  Integer* output;
  float* scales;  // [rows]; NaN where the row has a value that is not finite
  float* zeros;   // [rows], whole numbers; of int16 null
  int64_t rows, size, input_stride, output_stride;
  int32_t most;
  const float* factors = nullptr;  // [size], of int16 alone
};

// Products of rows of 16 bits with weights of 8: output = (rows weights^T) * row scale * weight scale + bias. Sums are
// exact as long as each fits in 32 bits. Weights lie in panels of kPanelOutputs outputs, pair of inputs by pair of
// inputs, and within that output by output; what a panel lacks is zero.
inline constexpr int64_t kPanelOutputs = 16;
struct IntegerProduct {
  const int16_t* input;     // [rows, 2 * pairs], contiguous
  const float* row_scales;  // [rows]
  const int8_t* panels;     // [panels, pairs, kPanelOutputs, 2]
  const float* scales;      // [outputs]
  const float* bias;        // [outputs], or null
  float* output;            // [rows, outputs] with `output_stride` from row to row
  int64_t rows, pairs, outputs, output_stride;
};

// Products of float32: output = rows weights^T + bias. Panels as above, input by input.
struct FloatProduct {
  const float* input;   // [rows, depth] with `input_stride` from row to row
  const float* panels;  // [panels, depth, kPanelOutputs]
  const float* bias;    // [outputs], or null
  float* output;        // [rows, outputs] with `output_stride` from row to row
  int64_t rows, depth, outputs, input_stride, output_stride;
};

// values = (values - zeros[row] * sums) * scales[row] + bias, in place.
struct ScaleRows {
  float* values;  // [rows, size], contiguous
  const float* scales;
  const float* zeros;
  const float* sums;  // [size]
  const float* bias;  // [size], or null
  int64_t rows, size;
};

// The query heads of one sequence that share a key head, queries first .. last - 1 of each (arXiv:1706.03762, eq. 1,
// with the online softmax of arXiv:1805.02867, so that no more than a tile of scores exists at a time).
template <class T>
struct GroupAttention {
  const T* query;  // row 0 is the sequence's first token; heads * head_dim elements per row
  const T* key;    // head_dim elements per row
  const T* value;
  T* output;  // like query
  int64_t query_stride, key_stride, value_stride, output_stride;
  int64_t heads, head_dim;
  int64_t length, first, last;
  int64_t before, after;  // query i sees keys i - before .. i + after; each below `length` or equal
  float scale;
  float* scratch;  // attention_scratch(head_dim, heads, last - first) floats
};

template <class T>
struct Kernels {
  void (*norm)(const NormRows<T>&);
  void (*turn_heads)(const HeadRows<T>&);
  void (*gate)(const GateRows<T>&);
  void (*attend)(const GroupAttention<T>&);
  void (*quantize)(const QuantizeRows<T, uint8_t>&);
  void (*quantize_wide)(const QuantizeRows<T, int16_t>&);
};

struct Table {
  Kernels<float> f32;
  Kernels<Bf16> bf16;
  void (*scale)(const ScaleRows&);
  void (*multiply_integers)(const IntegerProduct&);
  void (*multiply_floats)(const FloatProduct&);
  int64_t (*attention_scratch)(int64_t head_dim, int64_t heads, int64_t queries);  // floats that attend() needs
  int64_t query_tile;  // attend() works best on multiples of it
};

// Of one instruction set, which must be one of runnable_isas().
const Table& table_of(Isa isa);
// Of the best one.
const Table& table();

// Defined in one file per instruction set.
namespace baseline {
extern const Table kTable;
}
namespace avx2 {
extern const Table kTable;
}
namespace avx512 {
extern const Table kTable;
}

}  // namespace vsr::core::kernels
