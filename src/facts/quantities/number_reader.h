// Numbers in digits and in words.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "facts/quantities/pieces.h"

namespace vsr::facts {

struct ReadNumber {
  enum Form : uint8_t { kPlain, kShare, kFactor, kOrdinal };
  Form form = kPlain;
  double value = 0;
  double other;       // another reading, or not a number
  double step = 1;    // of its last digit
  size_t pieces = 0;  // how many it takes
  bool words = false;
  bool decimal = false;
  bool scaled = false;
  bool grouped = false;  // thousands are separated
  bool article = false;  // "ein", "un", or "one" alone
};

// The number that begins at a piece. Digits of more than 15 places lose some.
std::optional<ReadNumber> number_at(std::span<const Piece> pieces, size_t at, NumberStyle style);

}  // namespace vsr::facts
