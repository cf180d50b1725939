// A product of rows with a weight in panels, cut into pieces for threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/kernels/table.h"
#include "core/parallel.h"

namespace vsr::core {

inline int64_t whole(int64_t count, int64_t unit) { return (count + unit - 1) / unit; }

// Part of the output: rows first_row .. first_row + rows - 1, and as much of the outputs; these begin with a panel.
struct PanelPiece {
  int64_t first_row, rows, first_output, outputs;
};

// Of so many rows of `row_bytes` in blocks of equal size, how many a block has: they stay in the second cache while
// panels pass, and are whole tiles of every instruction set.
inline int64_t rows_per_piece(int64_t rows, int64_t row_bytes) {
  constexpr int64_t kBytes = int64_t{1} << 19;
  constexpr int64_t kTiles = 12;
  const int64_t most = std::clamp<int64_t>(kBytes / row_bytes, kTiles, 512);
  return std::min(rows, whole(whole(rows, whole(rows, most)), kTiles) * kTiles);
}

// Calls body(piece) for blocks of rows times groups of panels, on this thread and others. `depth`: inputs of each row.
template <class Body>
void in_panel_pieces(int64_t rows, int64_t depth, int64_t row_bytes, int64_t outputs, const Body& body) {
  constexpr int64_t kProductsPerPiece = 1 << 20;  // some 20 microseconds
  if (rows == 0) return;
  const int64_t panels = whole(outputs, kernels::kPanelOutputs);
  const int64_t rows_each = rows_per_piece(rows, row_bytes);
  const int64_t panels_each =
      std::clamp<int64_t>(kProductsPerPiece / (rows_each * depth * kernels::kPanelOutputs), 1, panels);
  const int64_t groups = whole(panels, panels_each);
  parallel_pieces(whole(rows, rows_each) * groups, 1, [&](int64_t index, int64_t) {
    const int64_t row = index / groups * rows_each;
    const int64_t output = index % groups * panels_each * kernels::kPanelOutputs;
    body(PanelPiece{row, std::min(rows_each, rows - row), output,
                    std::min(panels_each * kernels::kPanelOutputs, outputs - output)});
  });
}

}  // namespace vsr::core
