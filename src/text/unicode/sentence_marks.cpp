#include "text/unicode/sentence_marks.h"

namespace vsr::text {

SentenceMark sentence_mark(char32_t c) {
  switch (c) {
    case U'.':
      return SentenceMark::kStop;
    case U'!':
    case U'?':
    case 0x589:   // Armenian full stop
    case 0x61F:   // Arabic question mark
    case 0x6D4:   // Arabic full stop
    case 0x964:   // danda
    case 0x965:   // double danda
    case 0xF0D:   // Tibetan shad
    case 0x104A:  // Burmese little section
    case 0x104B:  // Burmese section
    case 0x1362:  // Ethiopic full stop
    case 0x1367:  // Ethiopic question mark
    case 0x17D4:  // Khmer khan
    case 0x2026:  // ellipsis
    case 0x203C:
    case 0x203D:
    case 0x2047:
    case 0x2048:
    case 0x2049:
      return SentenceMark::kTerminal;
    case 0x3002:  // ideographic full stop
    case 0xFF01:
    case 0xFF0E:
    case 0xFF1F:
    case 0xFF61:
      return SentenceMark::kWide;
    default:
      return SentenceMark::kNone;
  }
}

}  // namespace vsr::text
