// How many steps a tokenizer may be made of.
#pragma once

#include <cstddef>

namespace vsr::text {

// Of normalizers, pre-tokenizers and decoders, each of which goes over the text.
constexpr size_t kMostSteps = 64;

}  // namespace vsr::text
