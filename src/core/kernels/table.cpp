#include "core/kernels/table.h"

#include <ATen/Version.h>

#include <string>
#include <vector>

#include "base/ascii.h"

namespace vsr::core::kernels {
namespace {

std::vector<Isa> find_runnable() {
  std::vector<Isa> found{Isa::kBaseline};
#ifdef VSR_KERNELS_X86
  // LibTorch's own answer, which asks the processor and then ATEN_CPU_CAPABILITY.
  const std::string allowed = base::ascii_lower(at::get_cpu_capability());
  const bool wide = allowed.starts_with("avx512");
  if ((wide || allowed == "avx2") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    found.push_back(Isa::kAvx2);
  }
  if (wide && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    found.push_back(Isa::kAvx512);
  }
#endif
  return found;
}

}  // namespace

std::string_view isa_name(Isa isa) {
  switch (isa) {
    case Isa::kBaseline:
      return "baseline";
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
  }
  return "";
}

std::span<const Isa> runnable_isas() {
  static const std::vector<Isa> isas = find_runnable();
  return isas;
}

const Table& table_of(Isa isa) {
#ifdef VSR_KERNELS_X86
  if (isa == Isa::kAvx2) return avx2::kTable;
  if (isa == Isa::kAvx512) return avx512::kTable;
#endif
  static_cast<void>(isa);
  return baseline::kTable;
}

const Table& table() {
  static const Table& best = table_of(runnable_isas().back());
  return best;
}

}  // namespace vsr::core::kernels
