#include "core/machine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "core/kernels/isa.h"

namespace vsr::core {
namespace {

#ifdef VSR_KERNELS_X86
// Whether oneDNN may use an instruction set, by the names of ONEDNN_MAX_CPU_ISA that are below it.
template <size_t N>
bool onednn_allows(const std::array<std::string_view, N>& below) {
  const char* limit = std::getenv("ONEDNN_MAX_CPU_ISA");
  return limit == nullptr || std::find(below.begin(), below.end(), limit) == below.end();
}

constexpr std::array<std::string_view, 4> kBelowVnni{"SSE41", "AVX", "AVX2", "AVX512_CORE"};
constexpr std::array<std::string_view, 7> kBelowBf16{
    "SSE41", "AVX", "AVX2", "AVX2_VNNI", "AVX2_VNNI_2", "AVX512_CORE", "AVX512_CORE_VNNI"};
constexpr std::array<std::string_view, 10> kBelowAmx{"SSE41",
                                                     "AVX",
                                                     "AVX2",
                                                     "AVX2_VNNI",
                                                     "AVX2_VNNI_2",
                                                     "AVX512_CORE",
                                                     "AVX512_CORE_VNNI",
                                                     "AVX512_CORE_BF16",
                                                     "AVX512_CORE_FP16",
                                                     "AVX10_1_512"};

Machine find_machine() {
  if (kernels::runnable_isas().back() != kernels::Isa::kAvx512) return {false, false, false};
  const bool amx = __builtin_cpu_supports("amx-tile") && onednn_allows(kBelowAmx);
  return {.bfloat16 =
              (__builtin_cpu_supports("avx512bf16") || __builtin_cpu_supports("amx-bf16")) && onednn_allows(kBelowBf16),
          .bfloat16_matrix = amx && __builtin_cpu_supports("amx-bf16"),
          .int8 = __builtin_cpu_supports("avx512vnni") && onednn_allows(kBelowVnni)};
}
#else
Machine find_machine() { return {false, false, false}; }
#endif

}  // namespace

const Machine& machine() {
  static const Machine found = find_machine();
  return found;
}

}  // namespace vsr::core
