#include "core/machine.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "core/kernels/isa.h"

namespace vsr::core {
namespace {

// Where bytes have no 512-bit dot products oneDNN's sums of them may saturate, so those are left to vsr.
constexpr std::array<std::pair<std::string_view, Machine>, 11> kLimits{
    {{"sse41", {.bfloat16 = false, .bfloat16_matrix = false, .int8 = false}},
     {"avx", {.bfloat16 = false, .bfloat16_matrix = false, .int8 = false}},
     {"avx2", {.bfloat16 = false, .bfloat16_matrix = false, .int8 = false}},
     {"avx2_vnni", {.bfloat16 = false, .bfloat16_matrix = false, .int8 = false}},
     {"avx2_vnni_2", {.bfloat16 = false, .bfloat16_matrix = false, .int8 = false}},
     {"avx512_core", {.bfloat16 = false, .bfloat16_matrix = false, .int8 = false}},
     {"avx512_core_vnni", {.bfloat16 = false, .bfloat16_matrix = false, .int8 = true}},
     {"avx512_core_bf16", {.bfloat16 = true, .bfloat16_matrix = false, .int8 = true}},
     {"avx512_core_fp16", {.bfloat16 = true, .bfloat16_matrix = false, .int8 = true}},
     {"avx10_1_512", {.bfloat16 = true, .bfloat16_matrix = false, .int8 = true}},
     {"avx10_2_512", {.bfloat16 = true, .bfloat16_matrix = false, .int8 = true}}}};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

#ifdef VSR_KERNELS_X86
std::string_view onednn_limit() {
  for (const char* name : {"ONEDNN_MAX_CPU_ISA", "DNNL_MAX_CPU_ISA"}) {
    if (const char* limit = std::getenv(name)) return limit;
  }
  return {};
}

Machine find_machine() {
  if (kernels::runnable_isas().back() != kernels::Isa::kAvx512) return {false, false, false};
  const Machine allowed = allowed_by_onednn(onednn_limit());
  const bool amx = __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-bf16");
  return {.bfloat16 = allowed.bfloat16 && (__builtin_cpu_supports("avx512bf16") || amx),
          .bfloat16_matrix = allowed.bfloat16_matrix && amx,
          .int8 = allowed.int8 && __builtin_cpu_supports("avx512vnni")};
}
#else
Machine find_machine() { return {false, false, false}; }
#endif

}  // namespace

Machine allowed_by_onednn(std::string_view limit) {
  const auto found = std::find_if(kLimits.begin(), kLimits.end(),
                                  [limit](const auto& entry) { return equal_but_for_case(entry.first, limit); });
  return found == kLimits.end() ? Machine{true, true, true} : found->second;
}

const Machine& machine() {
  static const Machine found = find_machine();
  return found;
}

}  // namespace vsr::core
