// What is known of where the words of a text end.
#pragma once

#include <cstdint>

namespace vsr::text {

// Where words end whatever is around them, each of these with those before it. A cut is made in the original text, so
// the characters beside it are ones that every local normalizer leaves what they are.
enum class WordEnds : uint8_t {
  kUnknown,
  kSpaces,       // before a single space between visible characters
  kLetters,      // and after the last of some letters
  kPunctuation,  // and beside everything that is neither letter nor digit (BERT)
};

}  // namespace vsr::text
