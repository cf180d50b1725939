// Reads the "normalizer" of a tokenizer.json.
#pragma once

#include "base/json.h"
#include "text/hf/normalizers/normalizer.h"

namespace vsr::text {

// Reads the value of "normalizer". Throws kParse, or kUnsupported naming the type.
NormalizerPtr load_normalizer(const base::JsonObject& json);

}  // namespace vsr::text
