// Attention of one head, tile by tile. Included by the files that compile for one instruction set.
//
// A lane is a query: scores lie as [key][query] and outputs as [dimension][query], so that maximum and sum of the
// softmax need no reduction across lanes and only the queries are transposed. Keys and values of a block are copied
// once for all queries of a call: rows of a fused projection lie pages apart.
#pragma once

#include "core/kernels/simd.h"

namespace vsr::core::kernels {
namespace {

constexpr int64_t kTile = 2 * kLanes;  // queries of a tile: two vectors
constexpr int64_t kBlock = 96;         // keys whose scores exist at a time, a multiple of every kGroup
constexpr int kGroup = VSR_VECTOR_BYTES == 64 ? 12 : VSR_VECTOR_BYTES == 32 ? 6 : 4;  // accumulators, in vector pairs
constexpr float kLowest = -1e30F;  // below every score; its differences stay finite

// A tile's memory: queries [head_dim][kTile], outputs likewise, then maximum and sum of each query.
inline int64_t tile_floats(int64_t head_dim) { return (2 * head_dim + 2) * kTile; }

// The scores of a tile, the keys and the values of a block.
inline int64_t block_floats(int64_t head_dim) { return kBlock * (kTile + 2 * head_dim); }

inline int64_t tiles_of(int64_t queries) { return (queries + kTile - 1) / kTile; }

inline int64_t scratch_floats(int64_t head_dim, int64_t heads, int64_t queries) {
  return block_floats(head_dim) + heads * tiles_of(queries) * tile_floats(head_dim);
}

struct Tile {
  float* query;
  float* output;
  float* maximum;
  float* sum;
  int64_t column;  // of its head in the rows of queries
  int64_t first;   // query of lane 0
  int64_t count;   // lanes in use
};

template <class T>
inline Tile tile_of(const GroupAttention<T>& task, int64_t index) {
  float* memory = task.scratch + block_floats(task.head_dim) + index * tile_floats(task.head_dim);
  float* output = memory + task.head_dim * kTile;
  float* maximum = output + task.head_dim * kTile;
  const int64_t tiles = tiles_of(task.last - task.first);
  const int64_t first = task.first + index % tiles * kTile;
  const int64_t column = index / tiles * task.head_dim;
  return {memory, output, maximum, maximum + kTile, column, first, least(kTile, task.last - first)};
}

// Lanes without a query repeat the last one: their results are dropped, and must not cost time as denormals or NaN.
template <class T>
inline void begin_tile(const GroupAttention<T>& task, const Tile& tile) {
  for (int64_t lane = 0; lane < kTile; ++lane) {
    const T* row = task.query + (tile.first + least(lane, tile.count - 1)) * task.query_stride + tile.column;
    for (int64_t d = 0; d < task.head_dim; ++d) tile.query[d * kTile + lane] = load_one(row + d) * task.scale;
  }
  for (int64_t i = 0; i < task.head_dim * kTile; ++i) tile.output[i] = 0;
  for (int64_t lane = 0; lane < kTile; ++lane) {
    tile.maximum[lane] = kLowest;
    tile.sum[lane] = 0;
  }
}

// scores[r] = the products of R keys with the tile's queries.
template <int R>
inline void score_keys(const float* key, int64_t head_dim, const float* query, float* scores) {
  Vec acc[R][2] = {};
  for (int64_t d = 0; d < head_dim; ++d) {
    const Vec q0 = load(query + d * kTile);
    const Vec q1 = load(query + d * kTile + kLanes);
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r) {
      const float k = key[r * head_dim + d];
      acc[r][0] += q0 * k;
      acc[r][1] += q1 * k;
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < R; ++r) {
    store(scores + r * kTile, acc[r][0]);
    store(scores + r * kTile + kLanes, acc[r][1]);
  }
}

// output[d] = output[d] * scale + the values' dimension d weighted by the probabilities, for R dimensions.
template <int R>
inline void mix_values(const float* value, int64_t stride, int64_t keys, const float* probabilities,
                       const Vec (&scale)[2], float* output) {
  Vec acc[R][2];
#pragma GCC unroll 12
  for (int r = 0; r < R; ++r) {
    acc[r][0] = load(output + r * kTile) * scale[0];
    acc[r][1] = load(output + r * kTile + kLanes) * scale[1];
  }
  for (int64_t k = 0; k < keys; ++k) {
    const Vec p0 = load(probabilities + k * kTile);
    const Vec p1 = load(probabilities + k * kTile + kLanes);
#pragma GCC unroll 12
    for (int r = 0; r < R; ++r) {
      const float v = value[k * stride + r];
      acc[r][0] += p0 * v;
      acc[r][1] += p1 * v;
    }
  }
#pragma GCC unroll 12
  for (int r = 0; r < R; ++r) {
    store(output + r * kTile, acc[r][0]);
    store(output + r * kTile + kLanes, acc[r][1]);
  }
}

// Calls body.operator()<R>(i) for pieces of 0 .. count - 1: as many of R as fit, then halves of it down to one.
template <int R, class Body>
inline void in_groups(int64_t begin, int64_t count, const Body& body) {
  int64_t i = begin;
  for (; i + R <= count; i += R) body.template operator()<R>(i);
  if constexpr (R > 1) in_groups<R / 2>(i, count, body);
}

// Keys out of a query's sight get minus infinity.
inline void hide(const Tile& tile, int64_t key, int64_t keys, int64_t before, int64_t after, float* scores) {
  VecInt lane;
  for (int i = 0; i < kLanes; ++i) lane[i] = i;
  for (int64_t k = 0; k < keys; ++k) {
    for (int64_t half = 0; half < 2; ++half) {
      const VecInt ahead = static_cast<int32_t>(key + k - tile.first - half * kLanes) - lane;
      const int32_t limit = static_cast<int32_t>(after);
      const int32_t back = static_cast<int32_t>(-before);
      float* row = scores + k * kTile + half * kLanes;
      const Vec hidden = splat(-__builtin_inff());
      const Vec score = load(row);
      store(row, (ahead > limit) | (ahead < back) ? hidden : score);
    }
  }
}

// Turns scores into unnormalised probabilities; `scale` is what earlier sums and outputs are worth under the new
// maximum.
inline void soften(const Tile& tile, int64_t keys, float* scores, Vec (&scale)[2]) {
  for (int64_t half = 0; half < 2; ++half) {
    const int64_t offset = half * kLanes;
    const Vec before = load(tile.maximum + offset);
    Vec maximum = before;
    for (int64_t k = 0; k < keys; ++k) {
      const Vec score = load(scores + k * kTile + offset);
      maximum = score > maximum ? score : maximum;
    }
    scale[half] = exponential(before - maximum);
    Vec sum = load(tile.sum + offset) * scale[half];
    for (int64_t k = 0; k < keys; ++k) {
      const Vec p = exponential(load(scores + k * kTile + offset) - maximum);
      sum += p;
      store(scores + k * kTile + offset, p);
    }
    store(tile.maximum + offset, maximum);
    store(tile.sum + offset, sum);
  }
}

// Keys and values of a block, as float32 without gaps.
struct Block {
  const float* keys;
  const float* values;
  int64_t first;
};

template <class T>
inline void copy_rows(const T* from, int64_t stride, int64_t rows, int64_t size, float* to) {
  for (int64_t r = 0; r < rows; ++r) {
    for_pieces(size,
               [&](int64_t i, int64_t n) { store_piece(to + r * size + i, load_piece(from + r * stride + i, n), n); });
  }
}

template <class T>
inline Block block_of(const GroupAttention<T>& task, int64_t first, int64_t count) {
  float* keys = task.scratch + kBlock * kTile;
  float* values = keys + kBlock * task.head_dim;
  copy_rows(task.key + first * task.key_stride, task.key_stride, count, task.head_dim, keys);
  copy_rows(task.value + first * task.value_stride, task.value_stride, count, task.head_dim, values);
  return {keys, values, first};
}

template <class T>
inline void attend_block(const GroupAttention<T>& task, const Tile& tile, const Block& block, int64_t from,
                         int64_t to) {
  float* scores = task.scratch;
  const int64_t head_dim = task.head_dim;
  const float* keys = block.keys + (from - block.first) * head_dim;
  in_groups<kGroup>(0, to - from, [&]<int R>(int64_t k) {
    score_keys<R>(keys + k * head_dim, head_dim, tile.query, scores + k * kTile);
  });
  const int64_t last_query = tile.first + tile.count - 1;
  const bool all_seen = from >= last_query - task.before && to - 1 <= tile.first + task.after;
  if (!all_seen) hide(tile, from, to - from, task.before, task.after, scores);
  Vec scale[2];
  soften(tile, to - from, scores, scale);
  const float* values = block.values + (from - block.first) * head_dim;
  in_groups<kGroup>(0, head_dim, [&]<int R>(int64_t d) {
    mix_values<R>(values + d, head_dim, to - from, scores, scale, tile.output + d * kTile);
  });
}

inline void store_one(float* to, float value) { *to = value; }
inline void store_one(Bf16* to, float value) { store_part(to, splat(value), 1); }

template <class T>
inline void end_tile(const GroupAttention<T>& task, const Tile& tile) {
  for (int64_t lane = 0; lane < tile.count; ++lane) {
    T* row = task.output + (tile.first + lane) * task.output_stride + tile.column;
    const float scale = 1.0F / tile.sum[lane];
    for (int64_t d = 0; d < task.head_dim; ++d) store_one(row + d, tile.output[d * kTile + lane] * scale);
  }
}

// Blocks of keys outside, tiles inside: a block is read from memory once for all queries of the call.
template <class T>
void attend(const GroupAttention<T>& task) {
  const int64_t tiles = task.heads * tiles_of(task.last - task.first);
  for (int64_t i = 0; i < tiles; ++i) begin_tile(task, tile_of(task, i));
  const int64_t end = least(task.length, task.last + task.after);
  for (int64_t key = most(0, task.first - task.before); key < end; key += kBlock) {
    const Block block = block_of(task, key, least(kBlock, end - key));
    for (int64_t i = 0; i < tiles; ++i) {
      const Tile tile = tile_of(task, i);
      const int64_t from = most(key, tile.first - task.before);
      const int64_t to = least(least(key + kBlock, end), tile.first + tile.count + task.after);
      if (from < to) attend_block(task, tile, block, from, to);
    }
  }
  for (int64_t i = 0; i < tiles; ++i) end_tile(task, tile_of(task, i));
}

}  // namespace
}  // namespace vsr::core::kernels
