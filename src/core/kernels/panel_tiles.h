// How products pass over a weight in panels: tile of rows by tile of rows, while the next panel comes from memory.
#pragma once

#include "core/kernels/simd.h"

namespace vsr::core::kernels {
namespace {

constexpr int64_t kLine = 64;  // bytes of a line of the cache
constexpr int kPanelVectors = kPanelOutputs / kLanes;
// Rows of a tile: its sums, a panel's weights and one input fit into the registers.
constexpr int kTileRows = VSR_VECTOR_BYTES == 64 ? 12 : VSR_VECTOR_BYTES == 32 ? 6 : 3;

// Lines of memory that are needed soon; a tile asks for one in each of its steps.
struct Ahead {
  const char* from;
  int64_t lines;
};

// Calls step(i) for 0 .. count - 1.
template <class Step>
inline void over_steps(int64_t count, Ahead ahead, const Step& step) {
  int64_t i = 0;
  for (; i < least(count, ahead.lines); ++i) {
    __builtin_prefetch(ahead.from + i * kLine, 0, 2);
    step(i);
  }
  for (; i < count; ++i) step(i);
}

// Calls body.operator()<count>() when count is 1 .. Most.
template <int Most, class Body>
inline void exactly(int64_t count, const Body& body) {
  if constexpr (Most > 0) {
    if (count == Most) return body.template operator()<Most>();
    exactly<Most - 1>(count, body);
  }
}

// Calls body.operator()<R>(row, ahead) for tiles of kTileRows rows, and for all that is left as one more: each tile
// costs the panel once. `next`: the panel after this one, of as many bytes, of which each tile gets its part.
template <class Body>
inline void over_tiles(int64_t rows, const void* next, int64_t panel_bytes, const Body& body) {
  const int64_t tiles = (rows + kTileRows - 1) / kTileRows;
  const int64_t lines = (panel_bytes / kLine + tiles - 1) / most(tiles, 1);
  Ahead ahead{static_cast<const char*>(next), lines};
  int64_t row = 0;
  for (; row + kTileRows <= rows; row += kTileRows, ahead.from += lines * kLine) {
    body.template operator()<kTileRows>(row, ahead);
  }
  exactly<kTileRows - 1>(rows - row, [&]<int Rows>() { body.template operator()<Rows>(row, ahead); });
}

}  // namespace
}  // namespace vsr::core::kernels
