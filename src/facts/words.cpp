#include "facts/words.h"

#include "base/characters.h"
#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/unicode/code_point_range.h"
#include "text/unicode/unicode.h"

namespace vsr::facts {
namespace {

// Blocks, in order (Unicode 15, Blocks and Scripts).
constexpr text::CodePointRange kUnspacedRanges[] = {
    {0x0E01, 0x0E4E},    // Thai
    {0x0E81, 0x0EDF},    // Lao
    {0x1000, 0x109F},    // Burmese
    {0x1780, 0x17D3},    // Khmer
    {0x2E80, 0x2FDF},    // radicals
    {0x3005, 0x3007},    // iteration marks
    {0x3041, 0x30FF},    // kana
    {0x3105, 0x312F},    // Bopomofo
    {0x31A0, 0x31FF},    // Bopomofo and kana, extended
    {0x3400, 0x4DBF},    // Han
    {0x4E00, 0x9FFF},    // Han
    {0xA9E0, 0xA9FF},    // Burmese, extended
    {0xAA60, 0xAA7F},    // Burmese, extended
    {0xF900, 0xFAFF},    // Han
    {0xFF66, 0xFF9F},    // half-width kana
    {0x1AFF0, 0x1B16F},  // kana, extended
    {0x20000, 0x323AF},  // Han
};

enum class Kind { kOutside, kSpaced, kUnspaced };

Kind kind_of(char32_t c) {
  if (c < 0x80) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return word ? Kind::kSpaced : Kind::kOutside;
  }
  if (!text::char_info(c).in(text::kWordCharacter)) return Kind::kOutside;
  return is_unspaced(c) ? Kind::kUnspaced : Kind::kSpaced;
}

bool is_mark(char32_t c) { return c >= 0x300 && text::char_info(c).in_categories(text::kMarkCategories); }

bool is_hangul(char32_t c) {
  return text::is_hangul_syllable(c) || (c >= 0x1100 && c <= 0x11FF) || (c >= 0x3130 && c <= 0x318F);
}

char32_t character_before(std::string_view text, size_t position) {
  const size_t begin = base::floor_boundary(text, position - 1);
  return base::decode_utf8(text.substr(begin)).code_point;
}

bool splits_word(std::string_view text, size_t position) {
  if (position == 0 || position >= text.size()) return false;
  return kind_of(character_before(text, position)) == Kind::kSpaced &&
         kind_of(base::decode_utf8(text.substr(position)).code_point) == Kind::kSpaced;
}

// Calls `sink(begin, end)` for every word.
template <class Sink>
void each_range(std::string_view text, Sink&& sink) {
  Kind kind = Kind::kOutside;  // of the word that is open
  size_t begin = 0, i = 0;
  base::Checkpoint checkpoint;
  while (i < text.size()) {
    checkpoint(i);
    const base::Decoded c = base::decode_utf8(text.substr(i));
    const bool joins = kind != Kind::kOutside && is_mark(c.code_point);
    const Kind next = joins ? kind : kind_of(c.code_point);
    if (!joins && !(kind == Kind::kSpaced && next == Kind::kSpaced)) {
      if (kind != Kind::kOutside) sink(begin, i);
      begin = i;
    }
    kind = next;
    i += c.size;
  }
  if (kind != Kind::kOutside) sink(begin, i);
}

}  // namespace

bool is_unspaced(char32_t c) { return text::holds(kUnspacedRanges, c); }

bool may_begin_word(std::string_view text, size_t position) { return !splits_word(text, position); }

bool may_end_word(std::string_view text, size_t position) {
  return !splits_word(text, position) || is_hangul(character_before(text, position));
}

void each_word(std::string_view text, const std::function<void(std::string_view)>& sink) {
  each_range(text, [&](size_t begin, size_t end) { sink(text.substr(begin, end - begin)); });
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  each_range(text, [&](size_t begin, size_t end) { words.push_back(text.substr(begin, end - begin)); });
  return words;
}

size_t count_words(std::string_view text) {
  size_t count = 0;
  each_range(text, [&](size_t, size_t) { ++count; });
  return count;
}

}  // namespace vsr::facts
