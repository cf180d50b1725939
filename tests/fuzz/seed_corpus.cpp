// Writes a target's seeds as the corpus that libFuzzer starts from: with VSR_FUZZ_SEEDS naming a folder, at start.
#include <cstdlib>
#include <fstream>

#include "fuzz_target.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("VSR_FUZZ_SEEDS");
  if (folder == nullptr) return 0;
  size_t number = 0;
  for (const std::string& seed : vsr::fuzz::seeds()) {
    std::ofstream(std::string(folder) + "/seed-" + std::to_string(number++), std::ios::binary) << seed;
  }
  return 0;
}
