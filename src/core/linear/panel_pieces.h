// A product of rows with a weight in panels, cut into pieces for threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/kernels/table.h"
#include "core/schedule/parallel.h"

namespace vsr::core {

inline int64_t whole(int64_t count, int64_t unit) { return (count + unit - 1) / unit; }

// Part of the output: rows first_row .. first_row + rows - 1, and as much of the outputs; these begin with a panel.
struct PanelPiece {
  int64_t first_row, rows, first_output, outputs;
};

// Of `rows` rows of `row_bytes` in blocks of equal size, how many a block has. They stay in the second cache while
// panels pass. And few threads get rows of their own: what the last layer's part of a thread wrote is in that one's
// cache, and fetching it from another's costs more than reading the weight twice. Many threads would read it too often.
inline int64_t rows_per_piece(int64_t rows, int64_t row_bytes) {
  constexpr int64_t kBytes = int64_t{1} << 19;
  constexpr int64_t kMostBlocks = 4;  // for the sake of threads
  constexpr int64_t kLeastRows = 4;
  constexpr int64_t kTiles = 12;  // a multiple of all instruction sets' tiles
  const int64_t most = std::clamp<int64_t>(kBytes / row_bytes, kTiles, 512);
  const int64_t own = std::clamp<int64_t>(rows / kLeastRows, 1, std::min(kMostBlocks, threads_for_pieces()));
  const int64_t blocks = whole(whole(rows, most), own) * own;
  const int64_t even = whole(rows, blocks);
  return even < 4 * kTiles ? even : std::min(rows, whole(even, kTiles) * kTiles);
}

// Of `panels` panels, how many a piece has that multiplies them with `products` numbers each. Each thread gets as many
// pieces as the others.
inline int64_t panels_per_piece(int64_t panels, int64_t products) {
  constexpr int64_t kMost = 1 << 20;  // some 20 microseconds
  constexpr int64_t kLeast = 1 << 18;
  const int64_t threads = threads_for_pieces();
  const int64_t wanted = std::clamp(panels * products / (4 * threads), kLeast, kMost);
  const int64_t pieces = whole(panels, std::max<int64_t>(1, wanted / products));
  return pieces == 1 ? panels : whole(panels, whole(pieces, threads) * threads);
}

// Calls body(piece) for blocks of rows times groups of panels, on this thread and others. `depth`: inputs of each row.
template <class Body>
void in_panel_pieces(int64_t rows, int64_t depth, int64_t row_bytes, int64_t outputs, const Body& body) {
  if (rows == 0) return;
  const int64_t panels = whole(outputs, kernels::kPanelOutputs);
  const int64_t rows_each = rows_per_piece(rows, row_bytes);
  const int64_t panels_each = panels_per_piece(panels, rows_each * depth * kernels::kPanelOutputs);
  const int64_t groups = whole(panels, panels_each);
  parallel_pieces(whole(rows, rows_each) * groups, 1, [&](int64_t index, int64_t) {
    const int64_t row = index / groups * rows_each;
    const int64_t output = index % groups * panels_each * kernels::kPanelOutputs;
    body(PanelPiece{row, std::min(rows_each, rows - row), output,
                    std::min(panels_each * kernels::kPanelOutputs, outputs - output)});
  });
}

}  // namespace vsr::core
