#include "guard/checks/stems.h"

#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::guard {

std::string light_stem(std::string_view lower) {
  std::string stem;
  stem.reserve(lower.size());
  for (size_t i = 0; i < lower.size();) {
    const auto byte = static_cast<unsigned char>(lower[i]);
    if (byte < 0x80) {
      stem += lower[i++];
      continue;
    }
    const base::Decoded c = base::decode_utf8(lower.substr(i));
    if (c.code_point == 0xDF) {
      stem += "ss";
    } else if (const auto parts = text::canonical_decomposition(c.code_point); !parts.empty()) {
      base::append_utf8(stem, parts[0]);
    } else if (c.code_point == 0x153) {
      stem += "oe";
    } else {
      stem.append(lower.substr(i, c.size));
    }
    i += c.size;
  }
  static constexpr std::string_view kEndings[] = {"ations", "ation", "ments", "ment", "ungen", "ings", "ung", "ing",
                                                  "ies",    "ers",   "ern",   "ent",  "ed",    "es",   "er",  "en",
                                                  "em",     "ez",    "al",    "s",    "e",     "n",    "t",   "y"};
  for (int round = 0; round < 2; ++round) {
    for (const std::string_view ending : kEndings) {
      if (stem.size() >= ending.size() + 4 && stem.ends_with(ending)) {
        stem.resize(stem.size() - ending.size());
        break;
      }
    }
  }
  return stem;
}

}  // namespace vsr::guard
