// Words of a text in any script, for counting: cheap, allocation-free, in one pass. Not a tokenizer of any model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/checkpoint.h"
#include "base/span.h"

namespace vsr::text {

// Scripts as far as words, sentences and token counts differ between them.
enum class Script : uint8_t {
  kNone,  // digits, marks, symbols
  kLatin,
  kGreek,
  kCyrillic,
  kHebrew,
  kArabic,
  kDevanagari,
  kHangul,
  kHan,
  kHiragana,
  kKatakana,
  kThai,  // and Lao, Khmer, Burmese: written without spaces between words
  kOther,
};
constexpr size_t kScripts = static_cast<size_t>(Script::kOther) + 1;

// The script of a letter.
Script script_of(char32_t letter);

enum class WordKind : uint8_t { kLetters, kNumber, kSymbol };

struct Word {
  size_t begin = 0;
  size_t end = 0;
  uint64_t hash = 0;        // of the lower-case letters; equal words have equal hashes
  uint32_t characters = 0;  // code points
  Script script = Script::kNone;
  WordKind kind = WordKind::kSymbol;
  bool capital = false;  // the first letter is upper-case
};

// A hash as Word::hash of a word that is lower-case already.
uint64_t word_hash(std::string_view lower_case);

// Reads what is in `range` of a text from left to right. A word is a run of letters, marks and digits (apostrophes
// inside it included); where a script has no spaces, a letter with its marks. Anything else that is not white space is
// a symbol, one code point each. An ill-formed part is a symbol. Time grows with the range's size.
class WordReader {
 public:
  WordReader(std::string_view text, base::Span range)
      : text_(text.substr(0, range.end)), at_(range.begin), checkpoint_(range.begin) {}
  bool next(Word& word);

 private:
  void read_letters(Word& word);
  void read_ascii(Word& word);
  void read_number(Word& word);
  bool read_beyond_ascii(Word& word);
  bool apostrophe_inside() const;

  std::string_view text_;
  size_t at_;
  base::Checkpoint checkpoint_;
};

}  // namespace vsr::text
