// The pre-tokenizers that pre_tokenizer.cpp puts together.
#pragma once

#include <string>

#include "text/pre_tokenizer.h"
#include "text/split.h"

namespace vsr::text {

PreTokenizerPtr make_whitespace();
PreTokenizerPtr make_whitespace_split();
PreTokenizerPtr make_delimiter_split(char32_t delimiter);
PreTokenizerPtr make_digits(bool individual);
PreTokenizerPtr make_punctuation(SplitBehavior behavior);
PreTokenizerPtr make_fixed_length(size_t length);

}  // namespace vsr::text
