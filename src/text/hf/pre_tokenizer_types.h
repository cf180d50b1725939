// The pre-tokenizers that pre_tokenizer.cpp puts together.
#pragma once

#include <string>

#include "text/hf/pre_tokenizer.h"
#include "text/hf/split.h"
#include "text/regex/pattern.h"

namespace vsr::text {

PreTokenizerPtr make_whitespace();
PreTokenizerPtr make_whitespace_split();
PreTokenizerPtr make_delimiter_split(char32_t delimiter);
PreTokenizerPtr make_digits(bool individual);
PreTokenizerPtr make_punctuation(SplitBehavior behavior);
PreTokenizerPtr make_fixed_length(size_t length);

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
