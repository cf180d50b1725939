#include "core/schedule/machine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/ascii.h"
#include "core/kernels/isa.h"

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

Machine find_machine() {
  if (kernels::runnable_isas().back() != kernels::Isa::kAvx512) return kNothing;
  const Machine allowed = allowed_by_onednn(onednn_limit());
  const bool amx = __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-bf16");
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
