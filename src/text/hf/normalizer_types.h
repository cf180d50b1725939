// The normalizers that normalizer.cpp puts together.
#pragma once

#include <string>

#include "text/hf/normalizer.h"
#include "text/regex/pattern.h"

namespace vsr::text {

NormalizerPtr make_lowercase_normalizer();
NormalizerPtr make_strip_accents_normalizer();
NormalizerPtr make_prepend(const std::string& prefix);
NormalizerPtr make_replace(PatternPtr pattern, const std::string& content);
NormalizerPtr make_strip(bool left, bool right);
NormalizerPtr make_nmt();
NormalizerPtr make_byte_level_normalizer();

// Sentencepiece's compiled rules: `charsmap` is what "precompiled_charsmap" encodes, `where` is for messages.
NormalizerPtr make_precompiled(const std::string& charsmap, const base::JsonValue& where);

// Throws kLimit where rules would make a text of `size` bytes of `text`, many times what the original has there: a few
// rules after each other can fill any memory.
void check_growth(const NormalizedText& text, size_t size);

}  // namespace vsr::text
