// Pre-tokenizers that look at one character at a time.
#pragma once

#include <cstddef>

#include "text/hf/pre_tokenizers/pre_tokenizer.h"
#include "text/hf/pre_tokenizers/split.h"

namespace vsr::text {

PreTokenizerPtr make_bert_pre_tokenizer();
PreTokenizerPtr make_whitespace();
PreTokenizerPtr make_whitespace_split();
PreTokenizerPtr make_delimiter_split(char32_t delimiter);
PreTokenizerPtr make_digits(bool individual);
PreTokenizerPtr make_punctuation(SplitBehavior behavior);
PreTokenizerPtr make_fixed_length(size_t length);

}  // namespace vsr::text
