// How many tokens a word costs, estimated: what prompt compression chooses by, since exact counts of a book are slow.
#pragma once

#include <cstddef>

#include "text/words.h"

namespace vsr::routing {

// Per word, by script. Rather high for the vocabularies that routing models use (bench/README.md compares), so that
// text chosen by it seldom has to be cut again; no bound for hostile text: an emoji may take four tokens.
size_t estimated_tokens(const text::Word& word);

}  // namespace vsr::routing
