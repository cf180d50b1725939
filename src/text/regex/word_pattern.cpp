// Hand-written matchers for the expressions of GPT-2 and its successors:
//   GPT-2   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//   others  (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|
//           \s+(?!\S)|\s+
// They differ from each other in the four points of WordRules, and cut any text in one pass.

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/regex/pattern.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

struct WordRules {
  bool ignores_case;      // of contractions
  bool takes_any_prefix;  // words begin with any one character but letters, numbers and newlines; not only with a space
  size_t most_digits;     // in one match; 0: any number of them, after a space
  bool newlines_together;  // newlines end the whitespace, or the punctuation, before them
};

constexpr WordRules kGpt2 = {false, false, 0, false};
constexpr WordRules kThreeDigits = {true, true, 3, true};
constexpr WordRules kOneDigit = {true, true, 1, true};

constexpr std::string_view kGpt2Expression =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kGpt2Expression2 =
    R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
constexpr std::string_view kThreeDigitsExpression =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kOneDigitExpression =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

enum Kind : uint8_t { kLetter, kDigit, kSpace, kOther };

Kind kind_of(CharInfo info) {
  if (info.in_categories(kLetterCategories)) return kLetter;
  if (info.in_categories(kNumberCategories)) return kDigit;
  return info.in(kWhitespace) ? kSpace : kOther;
}

class WordPattern : public Pattern {
 public:
  explicit WordPattern(const WordRules& rules) : rules_(rules) {
    for (char32_t c = 0; c < 128; ++c) ascii_[c] = kind_of(char_info(c));
  }

  bool covers_everything() const override { return true; }
  WordEnds ends() const override { return WordEnds::kLetters; }

  void find(std::string_view text, uint32_t origin, std::vector<Span>& matches) const override {
    base::Checkpoint checkpoint;
    for (size_t begin = 0; begin < text.size();) {
      checkpoint(begin);
      const size_t end = match(text, begin);
      matches.push_back({origin + static_cast<uint32_t>(begin), origin + static_cast<uint32_t>(end)});
      begin = end;
    }
  }

 private:
  struct Character {
    Kind kind;
    uint8_t size;
  };

  Character at(std::string_view text, size_t i) const {
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) return {ascii_[byte], 1};
    const base::Decoded c = base::decode_utf8(text.substr(i));
    return {kind_of(char_info(c.code_point)), c.size};
  }

  // The end of the run of characters of one kind, at most `most` of them.
  size_t run(std::string_view text, size_t i, Kind kind, size_t most = SIZE_MAX) const {
    for (; most > 0 && i < text.size(); --most) {
      const Character c = at(text, i);
      if (c.kind != kind) break;
      i += c.size;
    }
    return i;
  }

  size_t match(std::string_view text, size_t begin) const {
    const Character first = at(text, begin);
    const bool is_newline = text[begin] == '\n' || text[begin] == '\r';
    if (text[begin] == '\'') {
      const size_t end = contraction(text, begin);
      if (end != begin) return end;
    }
    if (first.kind == kLetter) return run(text, begin, kLetter);
    if (first.kind == kDigit) return run(text, begin, kDigit, rules_.most_digits == 0 ? SIZE_MAX : rules_.most_digits);
    const size_t next = begin + first.size;
    if (next < text.size()) {
      const Kind kind = at(text, next).kind;
      const bool is_blank = text[begin] == ' ';
      if (kind == kLetter && (is_blank || (rules_.takes_any_prefix && !is_newline))) return run(text, next, kLetter);
      if (kind == kDigit && is_blank && rules_.most_digits == 0) return run(text, next, kDigit);
      if (kind == kOther && is_blank) return punctuation(text, next);
    }
    return first.kind == kOther ? punctuation(text, begin) : whitespace(text, begin);
  }

  size_t contraction(std::string_view text, size_t begin) const {
    const auto letter = [&](size_t i) {
      const char c = begin + i < text.size() ? text[begin + i] : '\0';
      return rules_.ignores_case ? base::ascii_lower(c) : c;
    };
    const char a = letter(1), b = letter(2);
    if (a == 's' || a == 't' || a == 'm' || a == 'd') return begin + 2;
    if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l')) return begin + 3;
    // The long s is an s without its case.
    if (rules_.ignores_case && text.substr(begin + 1, 2) == "\xC5\xBF") return begin + 3;
    return begin;
  }

  size_t punctuation(std::string_view text, size_t begin) const {
    size_t end = run(text, begin, kOther);
    while (rules_.newlines_together && end < text.size() && (text[end] == '\n' || text[end] == '\r')) ++end;
    return end;
  }

  size_t whitespace(std::string_view text, size_t begin) const {
    size_t end = begin, last = begin;  // of the run, and where its last character begins
    size_t after_newline = begin;
    while (end < text.size()) {
      const Character c = at(text, end);
      if (c.kind != kSpace) break;
      last = end;
      end += c.size;
      if (text[last] == '\n' || text[last] == '\r') after_newline = end;
    }
    if (rules_.newlines_together && after_newline > begin) return after_newline;
    // The last space before a word belongs to the word.
    return end == text.size() || last == begin ? end : last;
  }

  WordRules rules_;
  std::array<Kind, 128> ascii_{};
};

}  // namespace

PatternPtr make_gpt2_pattern() { return std::make_unique<WordPattern>(kGpt2); }

PatternPtr find_word_pattern(std::string_view expression) {
  if (expression == kGpt2Expression || expression == kGpt2Expression2) return make_gpt2_pattern();
  if (expression == kThreeDigitsExpression) return std::make_unique<WordPattern>(kThreeDigits);
  if (expression == kOneDigitExpression) return std::make_unique<WordPattern>(kOneDigit);
  return nullptr;
}

}  // namespace vsr::text
