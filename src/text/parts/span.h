// A part of a text in bytes, where there is one for each token or character: base::Span at half its size.
#pragma once

#include <cstdint>

namespace vsr::text {

// Bytes begin .. end - 1 of a text below 4 GiB.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t size() const { return end - begin; }
  friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace vsr::text
