// A part of a text in bytes. A "span" is always that, and a "range" one of other things: tokens, rows, blocks.
#pragma once

#include <cstddef>

namespace vsr::base {

// Bytes begin .. end - 1.
struct Span {
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
  friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace vsr::base
