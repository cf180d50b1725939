// How a delimiter cuts a text, shared by all pre-tokenizers that split.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "text/parts/span.h"

namespace vsr::text {

enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };

// Reads "Removed", "MergedWithNext", ...; throws kParse for another name.
SplitBehavior read_split_behavior(const base::JsonValue& value);

// A part of a word: a delimiter, or what lies between delimiters.
struct Part {
  Span span;
  bool is_match;
};

// Appends to `words` what the behaviour makes of the parts of one word, which cover it in order.
void apply_split(const std::vector<Part>& parts, SplitBehavior behavior, std::vector<Span>& words);

}  // namespace vsr::text
