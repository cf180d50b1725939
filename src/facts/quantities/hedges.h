// Words beside a value that make it less or more than exact.
#pragma once

#include <cstddef>
#include <span>

#include "facts/quantities/pieces.h"
#include "facts/quantities/quantity.h"

namespace vsr::facts {

Hedge hedge_before(std::span<const Piece> pieces, size_t at);
Hedge hedge_after(std::span<const Piece> pieces, size_t at);

}  // namespace vsr::facts
