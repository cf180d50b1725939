// What this machine's processor multiplies matrices with.
#pragma once

#include <string_view>

namespace vsr::core {

struct Machine {
  bool bfloat16;         // products of bfloat16 in vectors (AVX512_BF16) or better
  bool bfloat16_matrix;  // in matrix units (AMX)
  bool int8;             // dot products of bytes (VNNI) or better; without, those of 16 bits are as fast
  friend bool operator==(const Machine&, const Machine&) = default;
};

// Found once. ONEDNN_MAX_CPU_ISA (or DNNL_MAX_CPU_ISA) and ATEN_CPU_CAPABILITY, which restrict the libraries that do
// the products, restrict it.
const Machine& machine();

// What is left of a processor with everything when oneDNN is restricted to `limit`, a value of ONEDNN_MAX_CPU_ISA in
// capitals or not. A value that oneDNN does not know restricts nothing.
Machine allowed_by_onednn(std::string_view limit);

}  // namespace vsr::core
