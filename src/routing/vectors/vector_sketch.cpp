#include "routing/vectors/vector_sketch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

namespace vsr::routing {
namespace {

constexpr size_t kRounds = 3;
constexpr size_t kLeastBits = 256, kMostBits = 1024;
constexpr double kDeviations = 5;

// SplitMix64 (Steele, Lea, Flood, 2014): sketches must not change with the standard library.
uint64_t next_random(uint64_t& state) {
  uint64_t z = state += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

void hadamard(std::vector<float>& values) {
  for (size_t half = 1; half < values.size(); half *= 2) {
    for (size_t begin = 0; begin < values.size(); begin += 2 * half) {
      for (size_t i = begin; i < begin + half; ++i) {
        const float a = values[i], b = values[i + half];
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}

#define VSR_ALWAYS_INLINE inline __attribute__((always_inline))

VSR_ALWAYS_INLINE void distances_body(const uint64_t* query, const uint64_t* rows, size_t n_rows, size_t words,
                                      uint16_t* out) {
  for (size_t r = 0; r < n_rows; ++r) {
    uint64_t bits = 0;
    for (size_t w = 0; w < words; ++w) bits += std::popcount(query[w] ^ rows[r * words + w]);
    out[r] = static_cast<uint16_t>(bits);
  }
}

using Distances = void (*)(const uint64_t*, const uint64_t*, size_t, size_t, uint16_t*);

#define VSR_DISTANCES_VARIANT(name, target)                                                                   \
  target void name(const uint64_t* query, const uint64_t* rows, size_t n_rows, size_t words, uint16_t* out) { \
    distances_body(query, rows, n_rows, words, out);                                                          \
  }

VSR_DISTANCES_VARIANT(distances_baseline, )
#if defined(__x86_64__)
VSR_DISTANCES_VARIANT(distances_popcnt, __attribute__((target("popcnt"))))
VSR_DISTANCES_VARIANT(distances_avx512, __attribute__((target("avx512f,avx512vl,avx512vpopcntdq,popcnt"))))
#endif

Distances widest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl")) return &distances_avx512;
  if (__builtin_cpu_supports("popcnt")) return &distances_popcnt;
#endif
  return &distances_baseline;
}

}  // namespace

VectorSketch::VectorSketch(size_t dim)
    : dim_(dim),
      padded_(std::max(kLeastBits, std::bit_ceil(dim))),
      words_(std::min(padded_, kMostBits) / 64),
      signs_(kRounds * padded_) {
  uint64_t state = 20020519;
  for (float& sign : signs_) sign = (next_random(state) & 1) != 0 ? 1.0f : -1.0f;
}

std::vector<uint64_t> VectorSketch::of(std::span<const float> vector) const {
  std::vector<float> values(padded_);
  std::copy_n(vector.begin(), std::min(dim_, vector.size()), values.begin());
  for (size_t round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < padded_; ++i) values[i] *= signs_[round * padded_ + i];
    hadamard(values);
  }
  std::vector<uint64_t> sketch(words_);
  for (size_t i = 0; i < bits(); ++i) sketch[i / 64] |= uint64_t{values[i] < 0} << (i % 64);
  return sketch;
}

size_t VectorSketch::radius(double similarity) const {
  const double share = std::acos(std::clamp(similarity, -1.0, 1.0)) / std::numbers::pi;
  const double n = static_cast<double>(bits());
  // Near 0 the normal approximation of the binomial distribution is too narrow: a few bits more.
  const double reach = share * n + kDeviations * std::sqrt(n * share * (1 - share)) + 4;
  return static_cast<size_t>(std::min(reach, n));
}

void hamming_distances(const uint64_t* query, const uint64_t* rows, size_t n_rows, size_t words, uint16_t* out) {
  static const Distances distances = widest();
  distances(query, rows, n_rows, words, out);
}

}  // namespace vsr::routing
