// What neighbouring values say of each other: "1 hour 25 minutes", "10 to 15 km", "80, 75 and 90 percent".
#pragma once

#include <span>
#include <vector>

#include "facts/quantities/pieces.h"
#include "facts/quantities/quantity.h"

namespace vsr::facts {

// `found`: in the order of the text, with kinds and units as each was read alone.
void join_quantities(std::span<const Piece> pieces, std::vector<Quantity>& found);

}  // namespace vsr::facts
