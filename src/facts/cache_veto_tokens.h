// The words of a text as cache_veto.h compares them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vsr::facts {

struct VetoToken {
  enum Form : uint8_t { kLower, kCapitalised, kUpper, kMixed };  // kMixed: a capital after a small letter
  std::string text;                                              // in lower case, typographic apostrophes made plain
  Form form = kLower;
  bool digits = false;  // holds a decimal digit; digits of all scripts become ASCII
  bool letters = false;
  bool katakana = false;  // consists of it
  bool hiragana = false;
  bool sentence_start = false;
  bool quoted = false;
  bool negative = false;  // a minus sign comes before it
};

// Words are runs of letters, marks, digits and underscores, joined by `.`, `@`, `,` or an apostrophe between two of
// them (a comma only between digits), with + and # after one or two letters (c++, f#); Han characters and signs of
// units and currencies are words of their own.
std::vector<VetoToken> veto_tokens(std::string_view text);

}  // namespace vsr::facts
