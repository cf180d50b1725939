// Where a text may be cut before it is tokenized, so that the tokens of its pieces are those of the whole: what lets
// long texts be read in little memory, and a call end between two pieces.
#pragma once

#include <bitset>
#include <cstddef>
#include <string_view>

#include "text/parts/word_ends.h"

namespace vsr::text {

// What the parts of a tokenizer allow.
struct CutRules {
  WordEnds ends = WordEnds::kUnknown;
  bool ideographs = false;  // each of them is a word
  // Of spaces only: visible characters, by their byte, after which none may be cut. Null: after all.
  const std::bitset<128>* joined_to_space = nullptr;
};

class TextCuts {
 public:
  static constexpr size_t kPiece = size_t{32} << 10;

  explicit TextCuts(CutRules rules) : rules_(rules) {}

  // Where the piece that begins at `begin` ends: at the first cut at `size` bytes or after them, or with the text.
  size_t next(std::string_view text, size_t begin, size_t size = kPiece) const;

 private:
  bool cuts_at(std::string_view text, size_t at) const;
  bool ends_letters(std::string_view text, size_t at) const;

  CutRules rules_;
};

}  // namespace vsr::text
