// Normalizers that add, remove or exchange characters.
#pragma once

#include <string>

#include "text/hf/normalizers/normalizer.h"
#include "text/regex/pattern.h"

namespace vsr::text {

NormalizerPtr make_prepend(const std::string& prefix);
NormalizerPtr make_replace(PatternPtr pattern, const std::string& content);
NormalizerPtr make_strip(bool left, bool right);
NormalizerPtr make_nmt();
NormalizerPtr make_byte_level_normalizer();

}  // namespace vsr::text
