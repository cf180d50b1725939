// The way back from a repaired text to the one that came.
#pragma once

#include <cstdint>

#include "base/utf8.h"
#include "text/tokens/encoding.h"

namespace vsr::text {

// Makes offsets into `clean.view()` ones into the text that `clean` was made of.
inline void point_into_original(const base::CleanText& clean, TokenSequence& sequence) {
  if (clean.replaced_bytes() == 0) return;
  base::CleanText::Cursor begin(clean), end(clean);
  for (Span& span : sequence.offsets) {
    span = {static_cast<uint32_t>(begin.to_original(span.begin)), static_cast<uint32_t>(end.to_original(span.end))};
  }
}

}  // namespace vsr::text
