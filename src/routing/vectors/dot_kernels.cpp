#include "routing/vectors/dot_kernels.h"

#include <array>
#include <cstring>

namespace vsr::routing {
namespace {

#define VSR_ALWAYS_INLINE inline __attribute__((always_inline))

// kRowPadding partial sums in registers of kLanes floats, which GCC and Clang lower to what the enclosing function's
// target offers (a vector wider than the target's registers would live in memory).
template <size_t kLanes>
struct PartialSums {
  typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));
  static constexpr size_t kParts = kRowPadding / kLanes;

  Lanes parts[kParts] = {};

  VSR_ALWAYS_INLINE void add_product(const float* a, const float* b) {
    for (size_t p = 0; p < kParts; ++p) {
      Lanes x, y;
      std::memcpy(&x, a + p * kLanes, sizeof x);
      std::memcpy(&y, b + p * kLanes, sizeof y);
      parts[p] += x * y;
    }
  }

  VSR_ALWAYS_INLINE float total() const {
    float sums[kRowPadding];
    std::memcpy(sums, parts, sizeof sums);
    for (size_t width = kRowPadding / 2; width > 0; width /= 2) {
      for (size_t i = 0; i < width; ++i) sums[i] += sums[i + width];
    }
    return sums[0];
  }
};

template <size_t kLanes>
VSR_ALWAYS_INLINE float dot_body(const float* a, const float* b, size_t stride) {
  PartialSums<kLanes> sum;
  for (size_t i = 0; i < stride; i += kRowPadding) sum.add_product(a + i, b + i);
  return sum.total();
}

template <size_t kLanes>
VSR_ALWAYS_INLINE void dot_rows_body(const float* queries, const float* rows, size_t n_rows, size_t stride,
                                     float* out) {
  static_assert(kQueryBlock == 4);
  for (size_t r = 0; r < n_rows; ++r) {
    const float* row = rows + r * stride;
    PartialSums<kLanes> sum0, sum1, sum2, sum3;
    for (size_t i = 0; i < stride; i += kRowPadding) {
      sum0.add_product(queries + i, row + i);
      sum1.add_product(queries + stride + i, row + i);
      sum2.add_product(queries + 2 * stride + i, row + i);
      sum3.add_product(queries + 3 * stride + i, row + i);
    }
    out[r] = sum0.total();
    out[n_rows + r] = sum1.total();
    out[2 * n_rows + r] = sum2.total();
    out[3 * n_rows + r] = sum3.total();
  }
}

// One variant per instruction set. Not target_clones: its resolvers run before a sanitizer's run-time is ready.
#define VSR_DOT_VARIANT(name, lanes, target)                                                                       \
  target float dot_##name(const float* a, const float* b, size_t stride) { return dot_body<lanes>(a, b, stride); } \
  target void dot_rows_##name(const float* queries, const float* rows, size_t n_rows, size_t stride, float* out) { \
    dot_rows_body<lanes>(queries, rows, n_rows, stride, out);                                                      \
  }                                                                                                                \
  constexpr DotKernels k_##name = {&dot_##name, &dot_rows_##name, #name};

VSR_DOT_VARIANT(baseline, 4, )
#if defined(__x86_64__)
VSR_DOT_VARIANT(avx2, 8, __attribute__((target("avx2,fma"))))
VSR_DOT_VARIANT(avx512, 16, __attribute__((target("avx512f"))))
#endif

struct Runnable {
  std::array<const DotKernels*, 3> kernels{};
  size_t count = 0;
};

Runnable find_runnable() {
  Runnable found;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) found.kernels[found.count++] = &k_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.kernels[found.count++] = &k_avx2;
#endif
  found.kernels[found.count++] = &k_baseline;
  return found;
}

const Runnable& runnable() {
  static const Runnable found = find_runnable();
  return found;
}

}  // namespace

const DotKernels& dot_kernels() { return *runnable().kernels[0]; }

const DotKernels* const* runnable_dot_kernels(size_t* count) {
  *count = runnable().count;
  return runnable().kernels.data();
}

}  // namespace vsr::routing
