// What is only equal or not: reference numbers, versions, addresses, model names.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "facts/quantities/pieces.h"
#include "facts/quantities/quantity.h"

namespace vsr::facts {

// What begins at a piece of `text`: key and last_piece are set. Values with units ("85kg", "24-month") are none.
std::optional<Quantity> identifier_at(std::string_view text, std::span<const Piece> pieces, size_t at);

}  // namespace vsr::facts
