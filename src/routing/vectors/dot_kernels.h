// Dot products of float32 rows, with the widest instructions that the machine has.
#pragma once

#include <cstddef>

namespace vsr::routing {

// Rows are padded with zeros to a multiple of this many floats, so that kernels have no tail.
constexpr size_t kRowPadding = 16;
constexpr size_t padded_dim(size_t dim) { return (dim + kRowPadding - 1) / kRowPadding * kRowPadding; }

// Queries that one pass over the rows serves: each row is read from memory once for all of them.
constexpr size_t kQueryBlock = 4;

struct DotKernels {
  // The dot product of two rows of `stride` floats, a multiple of kRowPadding.
  float (*dot)(const float* a, const float* b, size_t stride);
  // out[q * n_rows + r] = queries[q] . row r, for kQueryBlock queries and `n_rows` rows; both packed by `stride`.
  void (*dot_rows)(const float* queries, const float* rows, size_t n_rows, size_t stride, float* out);
  const char* name;  // the instruction set
};

// Those for this machine. Every variant adds in the same order; with FMA the rounding differs in the last bit.
const DotKernels& dot_kernels();
// All variants that this machine can run, the best first: for tests and benches.
const DotKernels* const* runnable_dot_kernels(size_t* count);

}  // namespace vsr::routing
