// What one core's vector units can do at most, in 10^9 products and sums a second: fused float32, pairs of 16 bits, and
// quadruples of bytes, the last in the two steps that processors without VNNI need. AVX2 on x86-64.
//
//   peak_bench
//
// Registers only, nothing comes from memory: what products of matrices reach (bench/compare.py, "GEMMs alone") is a
// part of it.

#include <chrono>
#include <cstdint>
#include <cstdio>

#if defined(__x86_64__)

namespace {

constexpr int64_t kRounds = 50'000'000;
constexpr int64_t kChains = 10;  // of sums that wait for nothing but themselves

// In each round `step` does kChains vectors of `products` products.
template <class Step>
void measure(const char* name, int products, const Step& step) {
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < kRounds; ++i) step();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%-24s %6.1f\n", name, static_cast<double>(kRounds * kChains * products) / seconds / 1e9);
}

#define VSR_TEN(ONE) ONE(0) ONE(1) ONE(2) ONE(3) ONE(4) ONE(5) ONE(6) ONE(7) ONE(8) ONE(9)
#define VSR_FLOATS(SUM) "vfmadd231ps %%ymm10, %%ymm11, %%ymm" #SUM "\n"
#define VSR_PAIRS(SUM) "vpmaddwd %%ymm10, %%ymm11, %%ymm12\nvpaddd %%ymm12, %%ymm" #SUM ", %%ymm" #SUM "\n"
#define VSR_BYTES(SUM)                                                                                   \
  "vpmaddubsw %%ymm10, %%ymm11, %%ymm12\nvpmaddwd %%ymm12, %%ymm13, %%ymm12\nvpaddd %%ymm12, %%ymm" #SUM \
  ", %%ymm" #SUM "\n"
#define VSR_REGISTERS \
  "ymm0", "ymm1", "ymm2", "ymm3", "ymm4", "ymm5", "ymm6", "ymm7", "ymm8", "ymm9", "ymm10", "ymm11", "ymm12", "ymm13"

}  // namespace

int main() {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    std::fprintf(stderr, "peak_bench: this processor has no AVX2\n");
    return 1;
  }
  asm volatile("vzeroall" ::: VSR_REGISTERS);
  std::printf("10^9 products and sums a second, one core\n");
  measure("float32, fused", 8, [] { asm volatile(VSR_TEN(VSR_FLOATS)::: VSR_REGISTERS); });
  measure("16 bits, in pairs", 16, [] { asm volatile(VSR_TEN(VSR_PAIRS)::: VSR_REGISTERS); });
  measure("bytes, without VNNI", 32, [] { asm volatile(VSR_TEN(VSR_BYTES)::: VSR_REGISTERS); });
  return 0;
}

#else

int main() {
  std::fprintf(stderr, "peak_bench: only on x86-64\n");
  return 1;
}

#endif
