// Parts of a text.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace vsr::routing {

using ByteRanges = std::vector<std::pair<size_t, size_t>>;  // bytes of the input, end exclusive

}  // namespace vsr::routing
