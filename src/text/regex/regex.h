// Regular expressions of tokenizer.json files, which Hugging Face gives to Oniguruma. regex_parse.cpp (and
// regex_reader.cpp) compiles the part of its syntax that tokenizers use and refuses the rest; regex.cpp matches by
// backtracking, with the reference's own idea of each character.
#pragma once

#include <bitset>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/regex/pattern.h"
#include "text/unicode/unicode.h"

namespace vsr::text {

// A set of characters: a union of parts, perhaps negated.
class CharacterSet {
 public:
  void add(char32_t first, char32_t last) { ranges_.emplace_back(first, last); }
  void add_categories(uint32_t mask) { categories_ |= mask; }
  void add_space() { space_ = true; }
  // \w differs on its own and in a class.
  void add_word(bool in_class) { word_ = in_class ? kWordInClass : kWordAlone; }
  void add(CharacterSet nested) { nested_.push_back(std::move(nested)); }
  void negate() { negated_ = !negated_; }
  bool has_properties() const { return categories_ != 0 || space_ || word_ != kNoWord || !nested_.empty(); }
  const std::vector<std::pair<char32_t, char32_t>>& ranges() const { return ranges_; }
  // To be called once the set is complete.
  void finish();

  // How many sets a question may go through.
  size_t cost() const { return cost_; }
  bool contains(char32_t c) const { return c < 128 ? ascii_[c] : compute(c); }

 private:
  bool compute(char32_t c) const;

  std::vector<std::pair<char32_t, char32_t>> ranges_;
  uint32_t categories_ = 0;
  enum { kNoWord, kWordAlone, kWordInClass } word_ = kNoWord;
  bool space_ = false, negated_ = false;
  std::vector<CharacterSet> nested_;
  std::bitset<128> ascii_;
  size_t cost_ = 1;
};

enum class Greed : uint8_t { kGreedy, kLazy, kPossessive };
constexpr uint32_t kUnlimited = std::numeric_limits<uint32_t>::max();

struct RegexStep {
  enum Kind : uint8_t {
    kRun,         // `least` to `most` characters of `set`
    kSplit,       // go on at the next step, or else at `target`; the other way round when lazy
    kJump,        // to `target`
    kLookAhead,   // the steps up to `target` match here, or not when `negative`
    kLookBehind,  // the character before is in `set`, or not when `negative`
    kAtomic,      // the steps up to `target` match, and are not tried another way
    kLineBegin,
    kLineEnd,
    kAccept,  // ends the expression, a look-ahead or an atomic group
  };
  Kind kind;
  Greed greed = Greed::kGreedy;
  bool negative = false;
  uint32_t set = 0;
  uint32_t least = 0, most = 0;
  uint32_t target = 0;
};

struct RegexProgram {
  std::vector<RegexStep> steps;
  std::vector<CharacterSet> sets;
};

// Throws kUnsupported naming what it cannot match exactly.
RegexProgram parse_regex(const std::string& expression, const base::JsonValue& where);

}  // namespace vsr::text
