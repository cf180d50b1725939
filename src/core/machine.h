// What this machine's processor multiplies matrices with.
#pragma once

namespace vsr::core {

struct Machine {
  bool bfloat16;         // products of bfloat16 in vectors (AVX512_BF16) or better
  bool bfloat16_matrix;  // in matrix units (AMX)
  bool int8;             // dot products of bytes (VNNI) or better; without, those of 16 bits are as fast
};

// Found once. ONEDNN_MAX_CPU_ISA and ATEN_CPU_CAPABILITY, which restrict the libraries that do the products, restrict
// it.
const Machine& machine();

}  // namespace vsr::core
