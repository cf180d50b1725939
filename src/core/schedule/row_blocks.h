// How many rows a matrix product takes at a time.
#pragma once

#include <cstddef>

namespace vsr::core {

// One product over more rows than this is slower than several over fewer.
inline constexpr size_t kRowsPerProduct = 2048;

}  // namespace vsr::core
