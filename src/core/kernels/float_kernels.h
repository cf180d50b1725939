// Products of float32 rows with a weight in panels: each tile of the output stays in registers while it is summed
// (the scheme of Goto and van de Geijn, doi:10.1145/1356052.1356053). Included by the files that compile for one
// instruction set.
#pragma once

#include "core/kernels/simd.h"

namespace vsr::core::kernels {
namespace {

constexpr int kFloatPanelVectors = kPanelOutputs / kLanes;
// Rows of a tile: its sums, a panel's weights and one input fit into the registers.
constexpr int kFloatTileRows = VSR_VECTOR_BYTES == 64 ? 12 : VSR_VECTOR_BYTES == 32 ? 6 : 3;

constexpr int64_t kLine = 64;  // bytes of a line of the cache

template <int R>
struct FloatTile {
  Vec lanes[R][kFloatPanelVectors];
};

// Asks for `lines` of memory that are needed soon.
struct Ahead {
  const char* from;
  int64_t lines;
};

// A function of its own, so that the loop has all registers.
template <int R>
[[gnu::noinline]] void multiply_float_tile(const float* input, int64_t stride, const float* panel, int64_t depth,
                                           Ahead ahead, FloatTile<R>& output) {
  FloatTile<R> sums = {};
  const auto step = [&](int64_t k) {
    Vec weights[kFloatPanelVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kFloatPanelVectors; ++v) weights[v] = load(panel + k * kPanelOutputs + kLanes * v);
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r) {
      const Vec value = splat(input[r * stride + k]);
#pragma GCC unroll 4
      for (int v = 0; v < kFloatPanelVectors; ++v) sums.lanes[r][v] += value * weights[v];
    }
  };
  int64_t k = 0;
  for (; k < least(depth, ahead.lines); ++k) {
    __builtin_prefetch(ahead.from + k * kLine, 0, 2);
    step(k);
  }
  for (; k < depth; ++k) step(k);
  output = sums;
}

template <int R>
void multiply_float_rows(const FloatProduct& task, int64_t first, int64_t row, Ahead ahead) {
  FloatTile<R> tile;
  multiply_float_tile<R>(task.input + row * task.input_stride, task.input_stride, task.panels + first * task.depth,
                         task.depth, ahead, tile);
  for (int v = 0; v < kFloatPanelVectors && first + v * kLanes < task.outputs; ++v) {
    const int64_t at = first + v * kLanes;
    const int64_t count = least(kLanes, task.outputs - at);
    const Vec bias = task.bias != nullptr ? load_piece(task.bias + at, count) : Vec{};
    for (int r = 0; r < R; ++r) {
      store_piece(task.output + (row + r) * task.output_stride + at, tile.lanes[r][v] + bias, count);
    }
  }
}

// What is left of the rows is one tile, however few they are: each tile costs the panel once.
template <int R>
void multiply_last_rows(const FloatProduct& task, int64_t first, int64_t row, Ahead ahead) {
  if constexpr (R > 0) {
    if (task.rows - row == R) return multiply_float_rows<R>(task, first, row, ahead);
    multiply_last_rows<R - 1>(task, first, row, ahead);
  }
}

void multiply_floats(const FloatProduct& task) {
  const int64_t tiles = (task.rows + kFloatTileRows - 1) / kFloatTileRows;
  const int64_t panel_lines = task.depth * kPanelOutputs * static_cast<int64_t>(sizeof(float)) / kLine;
  const int64_t lines = (panel_lines + tiles - 1) / tiles;
  for (int64_t first = 0; first < task.outputs; first += kPanelOutputs) {
    // While a panel is used, the next one comes from memory, a part of it beside each tile.
    Ahead ahead{reinterpret_cast<const char*>(task.panels + (first + kPanelOutputs) * task.depth), lines};
    int64_t row = 0;
    for (; row + kFloatTileRows <= task.rows; row += kFloatTileRows, ahead.from += lines * kLine) {
      multiply_float_rows<kFloatTileRows>(task, first, row, ahead);
    }
    multiply_last_rows<kFloatTileRows - 1>(task, first, row, ahead);
  }
}

}  // namespace
}  // namespace vsr::core::kernels
