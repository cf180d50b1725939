// Which units of a text a budget of estimated tokens keeps.
#pragma once

#include <vector>

#include "base/span.h"
#include "routing/compress/byte_ranges.h"
#include "routing/compress/compress_units.h"

namespace vsr::routing {

struct Selection {
  ByteRanges protected_ranges;  // in order, disjoint
  float focus = 0;              // see CompressOptions
};

// The best units that fit `budget`, protected ones first, as ranges of the text in order; neighbours are one range.
// Prose larger than the budget is cut into parts first. Empty when nothing fits.
std::vector<base::Span> select_units(std::string_view text, const ScoredText& scored, const Selection& selection,
                                     size_t budget);

}  // namespace vsr::routing
