// Sentencepiece's compiled rules.
#pragma once

#include <string>

#include "base/json.h"
#include "text/hf/normalizers/normalizer.h"

namespace vsr::text {

// `charsmap` is what "precompiled_charsmap" encodes, `where` is for messages.
NormalizerPtr make_precompiled(const std::string& charsmap, const base::JsonValue& where);

}  // namespace vsr::text
