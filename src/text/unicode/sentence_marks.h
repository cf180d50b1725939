// Which characters end sentences: for who splits a text and who reads one as it arrives.
#pragma once

#include <cstdint>

namespace vsr::text {

// How a character may end a sentence, the weakest first.
enum class SentenceMark : uint8_t {
  kNone,
  kStop,      // also the mark of an abbreviation
  kTerminal,  // with white space after it
  kWide,      // whatever comes after it
};

SentenceMark sentence_mark(char32_t c);

}  // namespace vsr::text
