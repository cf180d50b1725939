// Properties of code points, as the Hugging Face tokenizers library sees them (see unicode_tables.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vsr::text {

enum CharSet : uint8_t {
  kWhitespace,      // Unicode's White_Space
  kBertControl,     // what BertNormalizer's clean_text removes
  kNonspacingMark,  // what BertNormalizer's strip_accents removes
  kCombiningMark,   // what StripAccents removes
  kPunctuation,     // of Punctuation and BertPreTokenizer
  kNumeric,         // of Digits
  kWordCharacter,   // \w of the regex crate: Whitespace, single-word added tokens
  kPictographic,
  kInCbConsonant,
  kInCbExtend,
  kInCbLinker,
};

// General categories as regular expressions in a tokenizer.json see them (Oniguruma).
enum Category : uint8_t {
  kLu,
  kLl,
  kLt,
  kLm,
  kLo,
  kMn,
  kMc,
  kMe,
  kNd,
  kNl,
  kNo,
  kPc,
  kPd,
  kPs,
  kPe,
  kPi,
  kPf,
  kPo,
  kSm,
  kSc,
  kSk,
  kSo,
  kZs,
  kZl,
  kZp,
  kCc,
  kCf,
  kCo,
  kUnassigned,
};

constexpr uint32_t category_bit(Category category) { return 1u << category; }
constexpr uint32_t kLetterCategories = 0x1Fu;
constexpr uint32_t kMarkCategories = 0x7u << kMn;
constexpr uint32_t kNumberCategories = 0x7u << kNd;
constexpr uint32_t kPunctuationCategories = 0x7Fu << kPc;
constexpr uint32_t kSymbolCategories = 0xFu << kSm;
constexpr uint32_t kSeparatorCategories = 0x7u << kZs;
constexpr uint32_t kOtherCategories = 0xFu << kCc;

enum class GraphemeClass : uint8_t {
  kOther,
  kCr,
  kLf,
  kControl,
  kExtend,
  kZwj,
  kRegionalIndicator,
  kPrepend,
  kSpacingMark,
  kL,
  kV,
  kT,
  kLv,
  kLvt,
};

// All that is known about one code point.
class CharInfo {
 public:
  bool in(CharSet set) const { return (bits_ >> set & 1) != 0; }
  Category category() const { return static_cast<Category>(bits_ >> 11 & 31); }
  bool in_categories(uint32_t mask) const { return (mask >> category() & 1) != 0; }
  GraphemeClass grapheme() const { return static_cast<GraphemeClass>(bits_ >> 16 & 15); }
  bool has_canonical() const { return (bits_ >> 20 & 1) != 0; }
  bool has_compatible() const { return (bits_ >> 21 & 1) != 0; }
  // Composition may change a text only where one of these is.
  bool may_compose() const { return (bits_ >> 22 & 1) != 0; }
  bool has_lowercase() const { return (bits_ >> 23 & 1) != 0; }
  uint8_t combining_class() const { return static_cast<uint8_t>(bits_ >> 24); }

 private:
  friend class CharTable;
  uint32_t bits_ = 0;
};

// The two-stage table behind char_info(), built once.
class CharTable {
 public:
  CharTable();
  ~CharTable();
  CharTable(const CharTable&) = delete;
  CharTable& operator=(const CharTable&) = delete;
  CharInfo operator[](char32_t c) const { return blocks_[size_t{index_[c >> 7]} * 128 + (c & 127)]; }

 private:
  uint16_t* index_;
  CharInfo* blocks_;
};
const CharTable& char_table();

inline CharInfo char_info(char32_t c) { return char_table()[c]; }

using CodePoints = std::span<const uint32_t>;
// Complete decompositions and lowercase forms; empty for what has none. Hangul syllables decompose with
// decompose_hangul.
CodePoints canonical_decomposition(char32_t c);
CodePoints compatible_decomposition(char32_t c);
CodePoints lowercase(char32_t c);

// 0 when the two do not compose.
char32_t compose(char32_t first, char32_t second);

constexpr bool is_hangul_syllable(char32_t c) { return c >= 0xAC00 && c < 0xAC00 + 11172; }
// Writes two or three jamo and returns how many.
size_t decompose_hangul(char32_t syllable, char32_t out[3]);

// The byte after the grapheme cluster that begins at `position` of a well-formed text.
size_t grapheme_end(std::string_view text, size_t position);

}  // namespace vsr::text
