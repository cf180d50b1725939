#include "core/schedule/machine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/ascii.h"
#include "core/kernels/isa.h"

#ifdef VSR_KERNELS_X86
#include <cpuid.h>
#endif

namespace vsr::core {
namespace {

constexpr Machine kNothing{.bfloat16 = false, .bfloat16_matrix = false, .int8 = false};
constexpr Machine kVnni{.bfloat16 = false, .bfloat16_matrix = false, .int8 = true};
constexpr Machine kVectors{.bfloat16 = true, .bfloat16_matrix = false, .int8 = true};
constexpr Machine kEverything{.bfloat16 = true, .bfloat16_matrix = true, .int8 = true};

// Where bytes have no 512-bit dot products oneDNN's sums of them may saturate, so those are left to vsr.
constexpr std::array<std::pair<std::string_view, Machine>, 11> kLimits{{{"sse41", kNothing},
                                                                        {"avx", kNothing},
                                                                        {"avx2", kNothing},
                                                                        {"avx2_vnni", kNothing},
                                                                        {"avx2_vnni_2", kNothing},
                                                                        {"avx512_core", kNothing},
                                                                        {"avx512_core_vnni", kVnni},
                                                                        {"avx512_core_bf16", kVectors},
                                                                        {"avx512_core_fp16", kVectors},
                                                                        {"avx10_1_512", kVectors},
                                                                        {"avx10_2_512", kVectors}}};

#ifdef VSR_KERNELS_X86
std::string_view onednn_limit() {
  for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"}) {
    if (const char* limit = std::getenv(name)) return limit;
  }
  return {};
}

// Asked of the processor itself, as compilers' own names for AMX are younger than those for everything else. Only after
// AVX-512 was found, which means that XGETBV may be executed.
bool has_amx_bfloat16() {
  constexpr unsigned kBfloat16 = 1U << 22, kTiles = 1U << 24;  // CPUID, leaf 7, EDX
  constexpr unsigned kTilesSaved = 3U << 17;                   // XCR0: the system keeps tiles of threads that wait
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  unsigned xcr0 = 0, upper = 0;
  __asm__("xgetbv" : "=a"(xcr0), "=d"(upper) : "c"(0));
  return (edx & kBfloat16) != 0 && (edx & kTiles) != 0 && (xcr0 & kTilesSaved) == kTilesSaved;
}

Machine find_machine() {
  if (kernels::runnable_isas().back() != kernels::Isa::kAvx512) return kNothing;
  const Machine allowed = allowed_by_onednn(onednn_limit());
  const bool amx = has_amx_bfloat16();
  return {.bfloat16 = allowed.bfloat16 && (__builtin_cpu_supports("avx512bf16") || amx),
          .bfloat16_matrix = allowed.bfloat16_matrix && amx,
          .int8 = allowed.int8 && __builtin_cpu_supports("avx512vnni")};
}
#else
Machine find_machine() { return kNothing; }
#endif

}  // namespace

Machine allowed_by_onednn(std::string_view limit) {
  const auto* const found =
      std::find_if(kLimits.begin(), kLimits.end(),
                   [name = base::ascii_lower(limit)](const auto& entry) { return entry.first == name; });
  return found == kLimits.end() ? kEverything : found->second;
}

const Machine& machine() {
  static const Machine found = find_machine();
  return found;
}

}  // namespace vsr::core
