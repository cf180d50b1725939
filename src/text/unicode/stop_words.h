// Function words of twelve languages, and which of them a text seems to be written in.
#pragma once

#include <cstdint>
#include <string_view>

namespace vsr::text {

// One bit per language.
using LanguageSet = uint16_t;

// The set of the one language that an ISO 639-1 code names ("en", also "en-GB"): en de fr es it pt nl ru zh ja ar hi.
// Empty for any other.
LanguageSet language_set(std::string_view code);

// The languages in which a word (Word::hash) is a function word: an article, pronoun, preposition, conjunction,
// auxiliary verb or particle.
LanguageSet stop_word_languages(uint64_t word_hash);

// The code of the language with the most function words in up to 16 KiB of the text (from its beginning, middle and
// end). Empty where none is found.
std::string_view detect_language(std::string_view text);

}  // namespace vsr::text
