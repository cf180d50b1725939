#include "text/unicode/words.h"

#include <algorithm>
#include <array>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

enum class ByteKind : uint8_t { kSpace, kLetter, kDigit, kSymbol, kBeyondAscii };

constexpr std::array<ByteKind, 256> make_byte_kinds() {
  std::array<ByteKind, 256> kinds{};
  for (size_t c = 0; c < 256; ++c) {
    if (c >= 0x80) {
      kinds[c] = ByteKind::kBeyondAscii;
    } else if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      kinds[c] = ByteKind::kLetter;
    } else if (c >= '0' && c <= '9') {
      kinds[c] = ByteKind::kDigit;
    } else {
      kinds[c] = c <= ' ' || c == 0x7F ? ByteKind::kSpace : ByteKind::kSymbol;
    }
  }
  return kinds;
}
constexpr std::array<ByteKind, 256> kByteKinds = make_byte_kinds();

ByteKind kind_of(char c) { return kByteKinds[static_cast<unsigned char>(c)]; }

// FNV-1a over bytes, with a final mix so that the low bits can index a table.
constexpr uint64_t kHashSeed = 0xCBF29CE484222325;
constexpr uint64_t add_byte(uint64_t hash, unsigned char byte) { return (hash ^ byte) * 0x100000001B3; }
constexpr uint64_t finish(uint64_t hash) { return (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9 ^ hash >> 32; }

uint64_t add_code_point(uint64_t hash, char32_t c) {
  for (; c != 0; c >>= 7) hash = add_byte(hash, static_cast<unsigned char>(0x80 | (c & 0x7F)));
  return hash;
}

struct ScriptBlock {
  char32_t first;
  char32_t last;
  Script script;
};
constexpr std::array kBlocks{
    ScriptBlock{0x41, 0x24F, Script::kLatin},       ScriptBlock{0x250, 0x2AF, Script::kLatin},
    ScriptBlock{0x370, 0x3FF, Script::kGreek},      ScriptBlock{0x400, 0x52F, Script::kCyrillic},
    ScriptBlock{0x590, 0x5FF, Script::kHebrew},     ScriptBlock{0x600, 0x6FF, Script::kArabic},
    ScriptBlock{0x750, 0x77F, Script::kArabic},     ScriptBlock{0x8A0, 0x8FF, Script::kArabic},
    ScriptBlock{0x900, 0x97F, Script::kDevanagari}, ScriptBlock{0xE00, 0xEFF, Script::kThai},
    ScriptBlock{0x1000, 0x109F, Script::kThai},     ScriptBlock{0x1100, 0x11FF, Script::kHangul},
    ScriptBlock{0x1780, 0x17FF, Script::kThai},     ScriptBlock{0x1E00, 0x1EFF, Script::kLatin},
    ScriptBlock{0x1F00, 0x1FFF, Script::kGreek},    ScriptBlock{0x3005, 0x3007, Script::kHan},
    ScriptBlock{0x3040, 0x309F, Script::kHiragana}, ScriptBlock{0x30A0, 0x30FF, Script::kKatakana},
    ScriptBlock{0x3130, 0x318F, Script::kHangul},   ScriptBlock{0x31F0, 0x31FF, Script::kKatakana},
    ScriptBlock{0x3400, 0x4DBF, Script::kHan},      ScriptBlock{0x4E00, 0x9FFF, Script::kHan},
    ScriptBlock{0xAC00, 0xD7AF, Script::kHangul},   ScriptBlock{0xF900, 0xFAFF, Script::kHan},
    ScriptBlock{0xFB1D, 0xFB4F, Script::kHebrew},   ScriptBlock{0xFB50, 0xFDFF, Script::kArabic},
    ScriptBlock{0xFE70, 0xFEFF, Script::kArabic},   ScriptBlock{0xFF21, 0xFF5A, Script::kLatin},
    ScriptBlock{0xFF66, 0xFF9D, Script::kKatakana}, ScriptBlock{0x20000, 0x3FFFF, Script::kHan},
};

bool is_word_part(CharInfo c) { return c.in_categories(kLetterCategories | kMarkCategories | kNumberCategories); }

// Whether a letter of the script is a word of its own.
bool stands_alone(Script script) {
  return script == Script::kHan || script == Script::kHiragana || script == Script::kThai;
}

}  // namespace

Script script_of(char32_t letter) {
  const auto block = std::lower_bound(kBlocks.begin(), kBlocks.end(), letter,
                                      [](const ScriptBlock& b, char32_t c) { return b.last < c; });
  return block != kBlocks.end() && block->first <= letter ? block->script : Script::kOther;
}

uint64_t word_hash(std::string_view lower_case) {
  uint64_t hash = kHashSeed;
  for (size_t i = 0; i < lower_case.size();) {
    const base::Decoded c = base::decode_utf8(lower_case.substr(i));
    hash = c.code_point < 0x80 ? add_byte(hash, static_cast<unsigned char>(c.code_point))
                               : add_code_point(hash, c.code_point);
    i += c.size;
  }
  return finish(hash);
}

// Whether an apostrophe at the reading position has a letter after it.
bool WordReader::apostrophe_inside() const {
  const std::string_view rest = text_.substr(at_);
  const size_t size = rest.starts_with('\'') ? 1 : rest.starts_with("\xE2\x80\x99") ? 3 : 0;
  return size > 0 && rest.size() > size && kind_of(rest[size]) == ByteKind::kLetter;
}

void WordReader::read_number(Word& word) {
  base::Checkpoint checkpoint(at_);
  while (at_ < text_.size() && kind_of(text_[at_]) == ByteKind::kDigit) {
    checkpoint(at_);
    word.hash = add_byte(word.hash, static_cast<unsigned char>(text_[at_++]));
    ++word.characters;
  }
}

// Most bytes of most texts pass here.
void WordReader::read_ascii(Word& word) {
  uint64_t hash = word.hash;
  size_t at = at_;
  bool letters = false;
  const size_t stop = std::min(text_.size(), at + base::Checkpoint::kStride);  // who calls goes on
  for (; at < stop; ++at) {
    const ByteKind kind = kind_of(text_[at]);
    if (kind != ByteKind::kLetter && kind != ByteKind::kDigit) break;
    letters |= kind == ByteKind::kLetter;
    hash = add_byte(hash, static_cast<unsigned char>(text_[at] | 0x20));  // digits have this bit
  }
  if (letters && word.script == Script::kNone) word.script = Script::kLatin;
  word.hash = hash;
  word.characters += static_cast<uint32_t>(at - at_);
  at_ = at;
}

void WordReader::read_letters(Word& word) {
  base::Checkpoint checkpoint(at_);
  while (at_ < text_.size()) {
    checkpoint(at_);
    const char byte = text_[at_];
    const ByteKind kind = kind_of(byte);
    if (kind == ByteKind::kLetter || kind == ByteKind::kDigit) {
      if (stands_alone(word.script)) return;
      read_ascii(word);
      continue;
    }
    if (kind == ByteKind::kSpace) return;
    if (apostrophe_inside()) {
      if (stands_alone(word.script)) return;
      word.hash = add_byte(word.hash, '\'');
      ++word.characters;
      at_ += byte == '\'' ? 1 : 3;
      continue;
    }
    if (kind == ByteKind::kSymbol) return;
    const base::Decoded c = base::decode_utf8(text_.substr(at_));
    const CharInfo info = char_info(c.code_point);
    if (!c.valid || !is_word_part(info)) return;
    if (info.in_categories(kLetterCategories)) {
      const Script script = script_of(c.code_point);
      if (word.characters > 0 && (stands_alone(word.script) || stands_alone(script))) return;
      if (word.script == Script::kNone) word.script = script;
      if (word.characters == 0) word.capital = info.in_categories(category_bit(kLu));
    }
    const CodePoints lower = info.has_lowercase() ? lowercase(c.code_point) : CodePoints();
    word.hash = add_code_point(word.hash, lower.empty() ? c.code_point : static_cast<char32_t>(lower.front()));
    ++word.characters;
    at_ += c.size;
  }
}

// False where white space was read instead of a word.
bool WordReader::read_beyond_ascii(Word& word) {
  const base::Decoded c = base::decode_utf8(text_.substr(at_));
  const CharInfo info = char_info(c.code_point);
  if (c.valid && is_word_part(info)) {
    word.kind = info.in_categories(kNumberCategories) ? WordKind::kNumber : WordKind::kLetters;
    read_letters(word);
    return true;
  }
  at_ += c.size;
  if (c.valid && info.in(kWhitespace)) return false;
  word.hash = add_code_point(word.hash, c.code_point);
  word.characters = 1;
  return true;
}

bool WordReader::next(Word& word) {
  checkpoint_(at_);
  while (at_ < text_.size()) {
    const ByteKind kind = kind_of(text_[at_]);
    if (kind == ByteKind::kSpace) {
      ++at_;
      continue;
    }
    word = {.begin = at_, .hash = kHashSeed};
    if (kind == ByteKind::kLetter || kind == ByteKind::kDigit) {
      word.kind = kind == ByteKind::kLetter ? WordKind::kLetters : WordKind::kNumber;
      word.capital = text_[at_] >= 'A' && text_[at_] <= 'Z';
      if (kind == ByteKind::kDigit) read_number(word);
      if (kind == ByteKind::kLetter) read_letters(word);
    } else if (kind == ByteKind::kSymbol) {
      word.hash = add_byte(word.hash, static_cast<unsigned char>(text_[at_++]));
      word.characters = 1;
    } else if (!read_beyond_ascii(word)) {
      continue;
    }
    word.end = at_;
    word.hash = finish(word.hash);
    return true;
  }
  return false;
}

}  // namespace vsr::text
