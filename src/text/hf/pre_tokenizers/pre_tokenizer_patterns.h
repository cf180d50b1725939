// Pre-tokenizers that cut at a pattern, or rewrite the text: Split, ByteLevel, Metaspace.
#pragma once

#include <string>

#include "text/hf/pre_tokenizers/pre_tokenizer.h"
#include "text/hf/pre_tokenizers/split.h"
#include "text/regex/pattern.h"

namespace vsr::text {

PreTokenizerPtr make_split(PatternPtr pattern, SplitBehavior behavior, bool invert);
PreTokenizerPtr make_prefix_space();

struct MetaspaceOptions {
  enum Prepend { kAlways, kFirst, kNever };
  std::string mark = "\xE2\x96\x81";  // one character
  Prepend prepend = kAlways;
  bool split = true;
};
PreTokenizerPtr make_metaspace(MetaspaceOptions options);

}  // namespace vsr::text
