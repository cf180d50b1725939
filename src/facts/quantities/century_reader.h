// Centuries: "the 17th century", "17. Jahrhundert", "XVIIe siècle".
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "facts/quantities/pieces.h"
#include "facts/quantities/quantity.h"

namespace vsr::facts {

// The century that begins at a piece.
std::optional<Quantity> century_at(std::span<const Piece> pieces, size_t at, NumberStyle style);

}  // namespace vsr::facts
