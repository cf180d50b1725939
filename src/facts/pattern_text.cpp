#include "facts/pattern_text.h"

#include <algorithm>
#include <iterator>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::facts {
namespace {

constexpr char32_t kGone = 0xFFFFFFFF;  // no character, as NUL is one

struct DigitRun {
  char32_t first;
  uint8_t count, value;  // of the first
};
// Characters that are digits (Unicode 15, Numeric_Type Decimal and Digit), and the Chinese ones.
// clang-format off
constexpr DigitRun kDigits[] = {
    {0xB2, 2, 2}, {0xB9, 1, 1}, {0x660, 10, 0}, {0x6F0, 10, 0}, {0x7C0, 10, 0}, {0x966, 10, 0}, {0x9E6, 10, 0},
    {0xA66, 10, 0}, {0xAE6, 10, 0}, {0xB66, 10, 0}, {0xBE6, 10, 0}, {0xC66, 10, 0}, {0xCE6, 10, 0}, {0xD66, 10, 0},
    {0xDE6, 10, 0}, {0xE50, 10, 0}, {0xED0, 10, 0}, {0xF20, 10, 0}, {0x1040, 10, 0}, {0x1090, 10, 0}, {0x1369, 9, 1},
    {0x17E0, 10, 0}, {0x1810, 10, 0}, {0x1946, 10, 0}, {0x19D0, 10, 0}, {0x19DA, 1, 1}, {0x1A80, 10, 0},
    {0x1A90, 10, 0}, {0x1B50, 10, 0}, {0x1BB0, 10, 0}, {0x1C40, 10, 0}, {0x1C50, 10, 0}, {0x2070, 1, 0},
    {0x2074, 6, 4}, {0x2080, 10, 0}, {0x2460, 9, 1}, {0x2474, 9, 1}, {0x2488, 9, 1}, {0x24EA, 1, 0}, {0x24F5, 9, 1},
    {0x24FF, 1, 0}, {0x2776, 9, 1}, {0x2780, 9, 1}, {0x278A, 9, 1}, {0x3007, 1, 0}, {0x4E00, 1, 1}, {0x4E03, 1, 7},
    {0x4E09, 1, 3}, {0x4E5D, 1, 9}, {0x4E8C, 1, 2}, {0x4E94, 1, 5}, {0x516B, 1, 8}, {0x516D, 1, 6}, {0x56DB, 1, 4},
    {0x96F6, 1, 0}, {0xA620, 10, 0}, {0xA8D0, 10, 0}, {0xA900, 10, 0}, {0xA9D0, 10, 0}, {0xA9F0, 10, 0},
    {0xAA50, 10, 0}, {0xABF0, 10, 0}, {0xFF10, 10, 0}, {0x104A0, 10, 0}, {0x10A40, 4, 1}, {0x10D30, 10, 0},
    {0x10E60, 9, 1}, {0x11052, 9, 1}, {0x11066, 10, 0}, {0x110F0, 10, 0}, {0x11136, 10, 0}, {0x111D0, 10, 0},
    {0x112F0, 10, 0}, {0x11450, 10, 0}, {0x114D0, 10, 0}, {0x11650, 10, 0}, {0x116C0, 10, 0}, {0x11730, 10, 0},
    {0x118E0, 10, 0}, {0x11950, 10, 0}, {0x11C50, 10, 0}, {0x11D50, 10, 0}, {0x11DA0, 10, 0}, {0x11F50, 10, 0},
    {0x16A60, 10, 0}, {0x16AC0, 10, 0}, {0x16B50, 10, 0}, {0x1D7CE, 10, 0}, {0x1D7D8, 10, 0}, {0x1D7E2, 10, 0},
    {0x1D7EC, 10, 0}, {0x1D7F6, 10, 0}, {0x1E140, 10, 0}, {0x1E2F0, 10, 0}, {0x1E4F0, 10, 0}, {0x1E950, 10, 0},
    {0x1F100, 1, 0}, {0x1F101, 10, 0}, {0x1FBF0, 10, 0},
};

struct LookAlike {
  char32_t character;
  char latin;
};
// Letters of Cyrillic, Greek and phonetic alphabets that look like Latin ones.
constexpr LookAlike kLookAlikes[] = {
    {0x131, 'i'}, {0x251, 'a'}, {0x261, 'g'}, {0x269, 'i'}, {0x391, 'A'}, {0x392, 'B'}, {0x395, 'E'}, {0x396, 'Z'},
    {0x397, 'H'}, {0x399, 'I'}, {0x39A, 'K'}, {0x39C, 'M'}, {0x39D, 'N'}, {0x39F, 'O'}, {0x3A1, 'P'}, {0x3A4, 'T'},
    {0x3A5, 'Y'}, {0x3A7, 'X'}, {0x3B1, 'a'}, {0x3B9, 'i'}, {0x3BA, 'k'}, {0x3BD, 'v'}, {0x3BF, 'o'}, {0x3C1, 'p'},
    {0x405, 'S'}, {0x406, 'I'}, {0x408, 'J'}, {0x410, 'A'}, {0x412, 'B'}, {0x415, 'E'}, {0x41A, 'K'}, {0x41C, 'M'},
    {0x41D, 'H'}, {0x41E, 'O'}, {0x420, 'P'}, {0x421, 'C'}, {0x422, 'T'}, {0x423, 'Y'}, {0x425, 'X'}, {0x430, 'a'},
    {0x435, 'e'}, {0x43A, 'k'}, {0x43E, 'o'}, {0x440, 'p'}, {0x441, 'c'}, {0x443, 'y'}, {0x445, 'x'}, {0x455, 's'},
    {0x456, 'i'}, {0x458, 'j'}, {0x4BB, 'h'}, {0x4CF, 'l'}, {0x501, 'd'}, {0x51B, 'q'}, {0x51D, 'w'},
};
// clang-format on

// -1: none.
int digit_value(char32_t c) {
  const auto after = std::upper_bound(std::begin(kDigits), std::end(kDigits), c,
                                      [](char32_t wanted, const DigitRun& run) { return wanted < run.first; });
  if (after == std::begin(kDigits)) return -1;
  const DigitRun& run = *std::prev(after);
  return c < run.first + run.count ? run.value + static_cast<int>(c - run.first) : -1;
}

char32_t look_alike(char32_t c) {
  const auto found = std::lower_bound(std::begin(kLookAlikes), std::end(kLookAlikes), c,
                                      [](const LookAlike& entry, char32_t wanted) { return entry.character < wanted; });
  return found != std::end(kLookAlikes) && found->character == c ? static_cast<char32_t>(found->latin) : c;
}

bool is_dash(char32_t c) { return (c >= 0x2010 && c <= 0x2015) || c == 0x2043 || c == 0x2212 || c == 0xFE58; }

// Letters that are drawn as nothing.
bool is_filler(char32_t c) { return c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0; }

// White space within a line stays as it is, other controls go.
char32_t fold_ascii(char32_t c) {
  const bool control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
  return control ? kGone : c;
}

char32_t fold_character(char32_t c) {
  if (c < 0x80) return fold_ascii(c);
  if (const int digit = digit_value(c); digit >= 0) return U'0' + static_cast<char32_t>(digit);
  const text::CharInfo info = text::char_info(c);
  if (info.category() == text::kZs || c == 0x2800 || c == 0x85) return U' ';
  constexpr uint32_t kUnseen = text::category_bit(text::kMn) | text::category_bit(text::kMe) |
                               text::category_bit(text::kCf) | text::category_bit(text::kCc);
  if (info.in_categories(kUnseen) || is_filler(c)) return kGone;
  if (is_dash(c)) return U'-';
  const text::CodePoints plain = text::compatible_decomposition(c);
  return look_alike(plain.size() == 1 ? plain[0] : c);
}

// The full stops of Chinese and Japanese, which browsers take for the dots of host names.
bool is_wide_stop(char32_t c) { return c == 0x3002 || c == 0xFF61; }
bool ends_in_letter(const std::string& text) {
  return !text.empty() && ((text.back() | 0x20) >= 'a' && (text.back() | 0x20) <= 'z');
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x80 && fold_ascii(byte) != kGone;
  });
}

}  // namespace

PatternText::PatternText(std::string_view text) : text_(text) {
  if (is_plain(text)) return;
  fold();
  if (!changed_) folded_ = {};
}

void PatternText::fold() {
  folded_.reserve(text_.size());
  size_t distance = 0;  // original minus folded position, where it last changed
  base::Checkpoint checkpoint;
  for (size_t i = 0; i < text_.size();) {
    checkpoint(i);
    const base::Decoded c = base::decode_utf8(text_.substr(i));
    const bool dot = is_wide_stop(c.code_point) && ends_in_letter(folded_);
    const char32_t folded = dot ? U'.' : fold_character(c.code_point);
    changed_ = changed_ || folded != c.code_point;
    if (folded != kGone) {
      if (i - folded_.size() != distance) {
        distance = i - folded_.size();
        shifts_.push_back({static_cast<uint32_t>(folded_.size()), static_cast<uint32_t>(i)});
      }
      base::append_utf8(folded_, folded);
    }
    i += c.size;
  }
}

size_t PatternText::original(size_t position) const {
  const auto after = std::upper_bound(shifts_.begin(), shifts_.end(), position,
                                      [](size_t wanted, const Shift& shift) { return wanted < shift.folded; });
  if (after == shifts_.begin()) return position;
  const Shift& shift = *std::prev(after);
  return shift.original + (position - shift.folded);
}

base::Span PatternText::original(size_t begin, size_t end) const {
  const size_t last = original(end - 1);
  return {original(begin), last + base::decode_utf8(text_.substr(last)).size};
}

}  // namespace vsr::facts
