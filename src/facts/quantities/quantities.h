// The values that a text states: numbers with units, dates, times, amounts, percentages, identifiers, in digits and in
// words, in the notations of English, German and French. The facts that the guard checks; linear in the text.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "facts/quantities/pieces.h"
#include "facts/quantities/quantity.h"

namespace vsr::facts {

// In the order of the text, disjoint. `pieces` are those of `text`. Thread-safe.
std::vector<Quantity> find_quantities(std::string_view text, std::span<const Piece> pieces, NumberStyle style);

}  // namespace vsr::facts
