// The instruction sets that the kernels are compiled for; which of them runs is decided once, when the first is needed.
#pragma once

#include <span>
#include <string_view>

namespace vsr::core::kernels {

enum class Isa { kBaseline, kAvx2, kAvx512 };

std::string_view isa_name(Isa isa);

// Those that this build has and this machine can run, the best last. ATEN_CPU_CAPABILITY (default, avx2, avx512), which
// restricts LibTorch's kernels, restricts these too.
std::span<const Isa> runnable_isas();

}  // namespace vsr::core::kernels
