// What tokenizers make of texts: ids, with the bytes of the text that each represents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/parts/span.h"

namespace vsr::text {

// One side of the input without the template's special tokens.
struct TokenSequence {
  std::vector<int32_t> ids;
  std::vector<Span> offsets;  // bytes in the caller's text
  size_t replaced_bytes = 0;  // bytes that were not UTF-8 and were read as U+FFFD
};

// The model's input: a sequence or a pair inside the template. The vectors are of one length.
struct Encoding {
  std::vector<int32_t> ids;
  std::vector<int32_t> type_ids;
  std::vector<Span> offsets;   // {0, 0} for what the template added
  std::vector<int32_t> sides;  // 0 text, 1 pair, -1 added by the template
  size_t size() const { return ids.size(); }
};

// A view of part of a TokenSequence: what one window reads.
struct SequenceView {
  const TokenSequence* sequence = nullptr;
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
};

}  // namespace vsr::text
