// Vectors of the compiler's own kind (GCC's and Clang's vector extensions), as wide as the instruction set that this
// file is being compiled for. Everything is internal to the including file: the same inline function compiled for two
// instruction sets must never be merged by the linker, and for the same reason no standard library header is included.
#pragma once

#include <stdint.h>

#include "core/kernels/table.h"

#if defined(__AVX512F__)
#define VSR_VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VSR_VECTOR_BYTES 32
#else
#define VSR_VECTOR_BYTES 16
#endif

namespace vsr::core::kernels {
namespace {

constexpr int64_t kLanes = VSR_VECTOR_BYTES / 4;

typedef float Vec __attribute__((vector_size(VSR_VECTOR_BYTES)));
typedef int32_t VecInt __attribute__((vector_size(VSR_VECTOR_BYTES)));
typedef uint32_t VecWord __attribute__((vector_size(VSR_VECTOR_BYTES)));
typedef uint8_t VecByte __attribute__((vector_size(VSR_VECTOR_BYTES / 4)));
typedef uint16_t VecHalf __attribute__((vector_size(VSR_VECTOR_BYTES / 2)));

inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

inline Vec splat(float value) { return value - Vec{}; }
inline VecInt splat(int32_t value) { return value - VecInt{}; }

inline Vec load(const float* from) {
  Vec to;
  __builtin_memcpy(&to, from, sizeof to);
  return to;
}

inline Vec load(const Bf16* from) {
  VecHalf bits;
  __builtin_memcpy(&bits, from, sizeof bits);
  return (Vec)(__builtin_convertvector(bits, VecWord) << 16);
}

inline void store(float* to, Vec from) { __builtin_memcpy(to, &from, sizeof from); }

// Rounds to the nearest, ties to even; NaN becomes a quiet NaN.
inline void store(Bf16* to, Vec from) {
  const VecWord bits = (VecWord)from;
  const VecWord rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
  const VecWord kept = from == from ? rounded : (bits >> 16) | 0x40;
  const VecHalf half = __builtin_convertvector(kept, VecHalf);
  __builtin_memcpy(to, &half, sizeof half);
}

// The first `count` lanes, the others zero.
template <class T>
inline Vec load_part(const T* from, int64_t count) {
  T lanes[kLanes] = {};
  for (int64_t i = 0; i < count; ++i) lanes[i] = from[i];
  return load(lanes);
}

template <class T>
inline void store_part(T* to, Vec from, int64_t count) {
  T lanes[kLanes];
  store(lanes, from);
  for (int64_t i = 0; i < count; ++i) to[i] = lanes[i];
}

inline float load_one(const float* from) { return *from; }
inline float load_one(const Bf16* from) {
  const uint32_t bits = static_cast<uint32_t>(from->bits) << 16;
  float value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

inline float sum_lanes(Vec vec) {
  float lanes[kLanes];
  store(lanes, vec);
  for (int64_t step = kLanes / 2; step > 0; step /= 2) {
    for (int64_t i = 0; i < step; ++i) lanes[i] += lanes[i + step];
  }
  return lanes[0];
}

// Calls body(first, count) for pieces of a row: whole vectors, then what is left.
template <class Body>
inline void for_pieces(int64_t size, const Body& body) {
  int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) body(i, kLanes);
  if (i < size) body(i, size - i);
}

template <class T>
inline Vec load_piece(const T* from, int64_t count) {
  return count == kLanes ? load(from) : load_part(from, count);
}

template <class T>
inline void store_piece(T* to, Vec from, int64_t count) {
  if (count == kLanes) {
    store(to, from);
  } else {
    store_part(to, from, count);
  }
}

// e^x within 2 units in the last place; 0 below -87.3, infinity above 88.7. 2^n times a polynomial on [-ln 2 / 2, ln 2
// / 2] whose coefficients are those of Cephes' expf.
inline Vec exponential(Vec x) {
  const Vec magic = splat(12582912.0F);  // 1.5 * 2^23: adding it rounds to an integer in the low bits
  const Vec low = x < -87.3F ? splat(-87.3F) : x;
  const Vec clamped = low > 88.8F ? splat(88.8F) : low;
  const Vec shifted = clamped * 1.44269504F + magic;
  const Vec n = shifted - magic;
  const Vec r = (clamped - n * 0.693359375F) + n * 2.12194440e-4F;
  Vec p = splat(1.9875691500e-4F);
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  // Two factors, since 2^128 alone has no exponent.
  const VecInt power = (VecInt)shifted - 0x4B400000;
  const VecInt half = power >> 1;
  const Vec scaled = p * (Vec)((half + 127) << 23) * (Vec)((power - half + 127) << 23);
  return x < -87.3F ? Vec{} : scaled;
}

}  // namespace
}  // namespace vsr::core::kernels
