// Dates, quarters and times of day in the notations of English, German and French.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "facts/quantities/pieces.h"
#include "facts/quantities/quantity.h"

namespace vsr::facts {

// What begins at a piece: kind, value or date, and last_piece are set.
std::optional<Quantity> date_at(std::span<const Piece> pieces, size_t at);
std::optional<Quantity> clock_at(std::span<const Piece> pieces, size_t at);

}  // namespace vsr::facts
