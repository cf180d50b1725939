// A text cut into words, digits and signs: what quantities, names and identifiers are read from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::facts {

struct Piece {
  enum Kind : uint8_t { kWord, kDigits, kSign };
  size_t begin = 0, end = 0;  // bytes of the text
  Kind kind = kSign;
  std::string lower =
      {};  // words in lower case; digits of all scripts as ASCII; spaces, dashes and quotes of all kinds as one
  bool space = false;       // white space before it
  bool wide_space = false;  // more than one, or a line feed
  bool hard_space = false;  // one that joins: no-break or narrow
  bool capital = false;     // a word's first letter
  bool upper = false;       // all of its letters, and there are two or more
  bool mixed = false;       // a capital after a small letter
  bool starts = false;      // a word that begins a sentence
  bool is(std::string_view text) const { return lower == text; }
};

// Languages as far as numbers are written differently in them.
enum class NumberStyle : uint8_t { kUnknown, kPoint, kComma };  // of decimals

// Reads well-formed UTF-8; time and memory grow with it.
std::vector<Piece> cut_pieces(std::string_view text);

// How a text's language writes decimals, by its function words.
NumberStyle number_style(std::string_view text);

}  // namespace vsr::facts
