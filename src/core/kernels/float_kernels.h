// Products of float32 rows with a weight in panels: each tile of the output stays in registers while it is summed
// (the scheme of Goto and van de Geijn, doi:10.1145/1356052.1356053). Included by the files that compile for one
// instruction set.
#pragma once

#include "core/kernels/panel_tiles.h"

namespace vsr::core::kernels {
namespace {

template <int R>
struct FloatTile {
  Vec lanes[R][kPanelVectors];
};

// A function of its own, so that the loop has all registers.
template <int R>
[[gnu::noinline]] void multiply_float_tile(const float* input, int64_t stride, const float* panel, int64_t depth,
                                           Ahead ahead, FloatTile<R>& output) {
  FloatTile<R> sums = {};
  over_steps(depth, ahead, [&](int64_t k) {
    Vec weights[kPanelVectors];
#pragma GCC unroll 4
    for (int v = 0; v < kPanelVectors; ++v) weights[v] = load(panel + k * kPanelOutputs + kLanes * v);
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r) {
      const Vec value = splat(input[r * stride + k]);
#pragma GCC unroll 4
      for (int v = 0; v < kPanelVectors; ++v) sums.lanes[r][v] += value * weights[v];
    }
  });
  output = sums;
}

template <int R>
void multiply_float_rows(const FloatProduct& task, int64_t first, int64_t row, Ahead ahead) {
  FloatTile<R> tile;
  multiply_float_tile<R>(task.input + row * task.input_stride, task.input_stride, task.panels + first * task.depth,
                         task.depth, ahead, tile);
  for (int v = 0; v < kPanelVectors && first + v * kLanes < task.outputs; ++v) {
    const int64_t at = first + v * kLanes;
    const int64_t count = least(kLanes, task.outputs - at);
    const Vec bias = task.bias != nullptr ? load_piece(task.bias + at, count) : Vec{};
    for (int r = 0; r < R; ++r) {
      store_piece(task.output + (row + r) * task.output_stride + at, tile.lanes[r][v] + bias, count);
    }
  }
}

void multiply_floats(const FloatProduct& task) {
  const int64_t panel_size = task.depth * kPanelOutputs;
  for (int64_t first = 0; first < task.outputs; first += kPanelOutputs) {
    const float* next = task.panels + first * task.depth + panel_size;
    over_tiles(task.rows, next, panel_size * static_cast<int64_t>(sizeof *next),
               [&]<int R>(int64_t row, Ahead ahead) { multiply_float_rows<R>(task, first, row, ahead); });
  }
}

}  // namespace
}  // namespace vsr::core::kernels
