// Words of a text in any script.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace vsr::facts {

// Scripts that put no spaces between words: Han, kana, Bopomofo, Thai, Lao, Khmer, Burmese.
bool is_unspaced(char32_t c);

// Whether a word may begin or end at this byte, a character's boundary, of a well-formed text. Every position beside an
// unspaced script is both. Korean attaches particles to the end of a word, so a word may end after any syllable.
bool may_begin_word(std::string_view text, size_t position);
bool may_end_word(std::string_view text, size_t position);

// Calls `sink` with the words of a text in order, as parts of it: runs of letters, marks, digits and connectors, but in
// unspaced scripts every character with its marks.
void each_word(std::string_view text, const std::function<void(std::string_view)>& sink);
std::vector<std::string_view> split_words(std::string_view text);

// How many split_words() would give.
size_t count_words(std::string_view text);

}  // namespace vsr::facts
