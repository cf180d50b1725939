// What is searched for in a text: a fixed string, a regular expression, or one of the expressions that half of all
// tokenizers use, for which there is a hand-written matcher.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "text/parts/span.h"
#include "text/parts/word_ends.h"

namespace vsr::text {

class Pattern {
 public:
  virtual ~Pattern() = default;
  // Appends the matches in `text`, leftmost first and without overlap, each shifted by `origin`. None is empty.
  virtual void find(std::string_view text, uint32_t origin, std::vector<Span>& matches) const = 0;
  // Whether every character is in some match.
  virtual bool covers_everything() const { return false; }
  // Where matches end whatever is before and after them; of patterns that cover everything.
  virtual WordEnds ends() const { return WordEnds::kUnknown; }
  // The string that it seeks, where it is a fixed one.
  virtual std::string_view fixed() const { return {}; }
};

using PatternPtr = std::unique_ptr<const Pattern>;

// Reads {"String": ...} or {"Regex": ...}. Throws kParse, or kUnsupported for an expression that vsr cannot match
// exactly.
PatternPtr load_pattern(const base::JsonObject& json);

// The expression of GPT-2, which ByteLevel brings along.
PatternPtr make_gpt2_pattern();

// The hand-written matcher for an expression, or null.
PatternPtr find_word_pattern(std::string_view expression);

// A regular expression in Oniguruma's syntax. Throws kUnsupported, naming what it cannot do exactly; `where` is for
// messages.
PatternPtr compile_regex(const std::string& expression, const base::JsonValue& where);

}  // namespace vsr::text
