// How common words are in English prose, for prompt compression.
#pragma once

#include <array>
#include <string_view>

namespace vsr::routing {

struct WordBand {
  int bits;                // -log2 of how often each of the words occurs, rounded
  std::string_view words;  // lower-case, separated by spaces
};

constexpr size_t kWordBands = 14;
extern const std::array<WordBand, kWordBands> kBackgroundWords;

}  // namespace vsr::routing
