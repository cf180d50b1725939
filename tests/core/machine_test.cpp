#include "core/schedule/machine.h"

#include <catch2/catch.hpp>

using vsr::core::allowed_by_onednn;
using vsr::core::Machine;

TEST_CASE("machine: oneDNN's limit by name, in capitals or not", "[core]") {
  const Machine everything{true, true, true};
  const Machine nothing{false, false, false};
  for (const char* limit : {"SSE41", "avx2", "AVX2_VNNI", "Avx512_Core"}) {
    CAPTURE(limit);
    CHECK(allowed_by_onednn(limit) == nothing);
  }
  for (const char* limit : {"AVX512_CORE_VNNI", "avx512_core_vnni"}) {
    CHECK(allowed_by_onednn(limit) == Machine{.bfloat16 = false, .bfloat16_matrix = false, .int8 = true});
  }
  CHECK(allowed_by_onednn("avx512_core_bf16") == Machine{.bfloat16 = true, .bfloat16_matrix = false, .int8 = true});
  for (const char* limit : {"", "ALL", "DEFAULT", "avx512_core_amx", "AVX512_CORE_AMX_FP16", "no such name"}) {
    CAPTURE(limit);
    CHECK(allowed_by_onednn(limit) == everything);
  }
}
