// A range of bytes in a text on its way through a tokenizer.
#pragma once

#include <cstdint>

namespace vsr::text {

// Half-open range of bytes; texts are below 4 GiB.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

}  // namespace vsr::text
