// Tables of names that requests use, short enough to be gone over.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace vsr::routing {

template <size_t N>
bool contains(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace vsr::routing
