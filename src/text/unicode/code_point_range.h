// Sets of characters as sorted tables of ranges.
#pragma once

#include <algorithm>
#include <span>

namespace vsr::text {

struct CodePointRange {
  char32_t first, last;  // both are of it
};

// Whether one of the ranges, which rise and are disjoint, holds the character.
inline bool holds(std::span<const CodePointRange> ranges, char32_t c) {
  const auto at = std::lower_bound(ranges.begin(), ranges.end(), c,
                                   [](const CodePointRange& range, char32_t value) { return range.last < value; });
  return at != ranges.end() && at->first <= c;
}

}  // namespace vsr::text
