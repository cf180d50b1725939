// A bound on what normalizers make of a text.
#pragma once

#include <cstddef>

#include "text/parts/normalized_text.h"

namespace vsr::text {

// Throws kLimit where rules would make a text of `size` bytes of `text`, many times what the original has there: a few
// rules after each other can fill any memory.
void check_growth(const NormalizedText& text, size_t size);

}  // namespace vsr::text
