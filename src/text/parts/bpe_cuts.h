// Where a text may be cut before its merges are sought: between two characters that no token holds side by side, and of
// which one is a token. No merge crosses such a place, and no unknown token does.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>

#include "text/parts/vocabulary.h"

namespace vsr::text {

class BpeCuts {
 public:
  explicit BpeCuts(const Vocabulary& vocabulary);

  // Where the part that begins at `begin` ends: at the next cut, or with the text.
  size_t next(std::string_view text, size_t begin) const;
  // Whether a character of ASCII and a mark after it may not be parted.
  bool joined_to_mark(char character) const { return joined_[static_cast<unsigned char>(character)][kMark]; }

 private:
  // ASCII is told apart, and the mark U+2581 that represents spaces; all other characters are one class.
  static constexpr size_t kMark = 128, kOther = 129, kClasses = 130;
  struct Character {
    size_t kind;
    size_t size;
  };
  static Character character_at(std::string_view text, size_t i);

  std::array<std::array<bool, kClasses>, kClasses> joined_{};
};

// The same for words of bytes: between two that no token holds side by side. Every byte is a token.
class ByteCuts {
 public:
  explicit ByteCuts(const Vocabulary& byte_tokens);

  // Where the part that begins at `begin` ends: at the first cut at least `least` bytes on, or with the word.
  size_t next(std::string_view word, size_t begin, size_t least) const;

 private:
  std::bitset<65536> joined_;
};

}  // namespace vsr::text
