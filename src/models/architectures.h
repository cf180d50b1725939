// All architectures. Each has a file of its own in this folder, which ends with its constant.
#pragma once

#include "models/architecture.h"

namespace vsr::models {

extern const Architecture kBert;
extern const Architecture kGemma3;
extern const Architecture kModernBert;
extern const Architecture kQwen3;

}  // namespace vsr::models
