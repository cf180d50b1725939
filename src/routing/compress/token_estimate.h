// How many tokens a word costs, estimated: what prompt compression chooses by, since exact counts of a book are slow.
#pragma once

#include <cstddef>
#include <string_view>

#include "text/unicode/words.h"

namespace vsr::routing {

// Per word, by script. Against the vocabularies of BERT, ModernBERT, Qwen3 and Gemma 2 it says 6 to 22 % too much for
// English, and for other languages from half (Korean, Polish in an English vocabulary) to more than twice the tokens:
// whoever needs a hard limit gives compress() a counter.
size_t estimated_tokens(const text::Word& word);
// Of all words of a text.
size_t estimate_tokens(std::string_view text);

}  // namespace vsr::routing
