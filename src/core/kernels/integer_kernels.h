// Exact products of integers in vectors that have no dot product of bytes: 16 bits times 16 bits, in pairs whose sums
// are 32 bits wide, so nothing saturates and rows may have more than 8 bits at no cost. Included by the files that
// compile for one instruction set.
#pragma once

#include "core/kernels/panel_tiles.h"

#ifdef __SSE2__
#include <immintrin.h>  // its functions are always inlined
#endif

namespace vsr::core::kernels {
namespace {

typedef int16_t VecShort __attribute__((vector_size(VSR_VECTOR_BYTES)));
typedef int8_t VecSmall __attribute__((vector_size(VSR_VECTOR_BYTES / 2)));

// Each lane: the sum of two products.
inline VecWord multiply_pairs(VecShort a, VecShort b) {
#if VSR_VECTOR_BYTES == 64
  return (VecWord)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif VSR_VECTOR_BYTES == 32
  return (VecWord)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
  return (VecWord)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
  const VecInt products_low = ((VecInt)a << 16 >> 16) * ((VecInt)b << 16 >> 16);
  return (VecWord)products_low + (VecWord)(((VecInt)a >> 16) * ((VecInt)b >> 16));
#endif
}

// A vector's worth of weights, widened by one instruction; GCC 12 makes four of its own conversion.
inline VecShort load_weights(const int8_t* from) {
#if VSR_VECTOR_BYTES == 64
  return (VecShort)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const __m256i*)from));
#elif VSR_VECTOR_BYTES == 32
  return (VecShort)_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i*)from));
#else
  VecSmall bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  return __builtin_convertvector(bytes, VecShort);
#endif
}

// Unsigned, since sums over a row that is no number may wrap around.
template <int R>
struct TileSums {
  VecWord lanes[R][kPanelVectors];
};

// A function of its own: the loop takes all registers of AVX2, and what is around it would cost it one.
template <int R>
[[gnu::noinline]] void multiply_tile(const int16_t* input, const int8_t* panel, int64_t pairs, Ahead ahead,
                                     TileSums<R>& output) {
  TileSums<R> sums = {};
  over_steps(pairs, ahead, [&](int64_t pair) {
    VecShort weights[kPanelVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kPanelVectors; ++v) weights[v] = load_weights(panel + 2 * (pair * kPanelOutputs + kLanes * v));
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r) {
      int32_t two;
      __builtin_memcpy(&two, input + 2 * (r * pairs + pair), sizeof two);
      const VecShort values = (VecShort)splat(two);
#pragma GCC unroll 4
      for (int v = 0; v < kPanelVectors; ++v) sums.lanes[r][v] += multiply_pairs(weights[v], values);
    }
  });
  output = sums;
}

inline void store_sums(const IntegerProduct& task, int64_t row, int64_t first, VecWord sums) {
  const int64_t count = least(kLanes, task.outputs - first);
  Vec value = __builtin_convertvector((VecInt)sums, Vec) * task.row_scales[row];
  value *= load_piece(task.scales + first, count);
  if (task.bias != nullptr) value += load_piece(task.bias + first, count);
  store_piece(task.output + row * task.output_stride + first, value, count);
}

void multiply_integers(const IntegerProduct& task) {
  const int64_t panel_bytes = 2 * task.pairs * kPanelOutputs;
  for (int64_t first = 0; first < task.outputs; first += kPanelOutputs) {
    const int8_t* panel = task.panels + first * 2 * task.pairs;
    over_tiles(task.rows, panel + panel_bytes, panel_bytes, [&]<int R>(int64_t row, Ahead ahead) {
      TileSums<R> sums;
      multiply_tile<R>(task.input + row * 2 * task.pairs, panel, task.pairs, ahead, sums);
      for (int r = 0; r < R; ++r) {
        for (int v = 0; v < kPanelVectors && first + v * kLanes < task.outputs; ++v) {
          store_sums(task, row + r, first + v * kLanes, sums.lanes[r][v]);
        }
      }
    });
  }
}

}  // namespace
}  // namespace vsr::core::kernels
