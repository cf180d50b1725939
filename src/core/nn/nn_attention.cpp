#include "core/nn/nn_attention.h"

#include <ATen/ops/empty.h>

#include <algorithm>

#include "core/nn/nn_attention_dense.h"
#include "core/nn/nn_attention_flash.h"
#include "core/nn/nn_attention_tiles.h"

namespace vsr::core {
namespace {

using at::Tensor;

// Queries that share one window of keys. Larger blocks compute more scores that the band hides, smaller ones multiply
// matrices that are too small.
constexpr int64_t kBlock = 64;
// The most queries of a block at a sequence's ends, so that its mask stays small when the window is large.
constexpr int64_t kEdge = 512;

// Tokens of a batch seen as many attentions of one shape.
struct Blocks {
  Tensor query;   // [blocks, kv_heads, group, queries, head_dim]
  Tensor output;  // like query; written
  Tensor key;     // [blocks, kv_heads, keys, head_dim]
  Tensor value;
};

// ATen's fused kernel knows no groups, but it follows strides: the keys of a group are one row of memory, expanded.
void attend_blocks(const Blocks& blocks, const std::optional<Tensor>& mask, bool causal, double scale) {
  const int64_t group = blocks.query.size(2);
  if (group == 1) {
    blocks.output.select(2, 0).copy_(
        attend_dense(blocks.query.select(2, 0), blocks.key, blocks.value, mask, causal, scale));
    return;
  }
  const int64_t loop = blocks.query.size(0) < blocks.query.size(1) ? 0 : 1;
  for (int64_t i = 0; i < blocks.query.size(loop); ++i) {
    const Tensor key = blocks.key.select(loop, i).unsqueeze(1).expand({-1, group, -1, -1});
    const Tensor value = blocks.value.select(loop, i).unsqueeze(1).expand({-1, group, -1, -1});
    const Tensor query = blocks.query.select(loop, i);
    blocks.output.select(loop, i).copy_(attend_dense(query, key, value, mask, causal, scale));
  }
}

class Attention {
 public:
  Attention(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionSpec& spec)
      : query_(query), key_(key), value_(value), spec_(spec), output_(at::empty(query.sizes(), query.options())) {}

  // Every token against all of its sequence, at once for sequences of one length.
  void full(const EqualRun& run) const { attend_range(run, 0, run.length, 0, run.length, std::nullopt); }

  // The first and the last tokens, whose windows end with the sequence, are a block each; those between form blocks of
  // kBlock queries that overlap in memory and differ by a constant stride.
  void windowed(const EqualRun& run) const {
    const int64_t reach = keys_after();
    const int64_t head = (*spec_.window + kBlock - 1) / kBlock * kBlock;
    const int64_t blocks = (run.length - head - reach) / kBlock;
    if (run.length < head + reach + kBlock) {
      attend_band(run, 0, run.length);
      return;
    }
    attend_band(run, 0, head);
    const Tensor mask = band_mask(kBlock, *spec_.window + kBlock + reach, *spec_.window, band(), query_);
    for (int64_t i = 0; i < run.sequences; ++i) {
      attend_blocks(strided(run.first_row + i * run.length + head, blocks), mask, false, spec_.scale);
    }
    if (head + blocks * kBlock < run.length) attend_band(run, head + blocks * kBlock, run.length);
  }

  Tensor take_output() const { return output_; }

 private:
  Band band() const { return {spec_.window, spec_.causal}; }
  int64_t keys_after() const { return spec_.causal ? 0 : *spec_.window; }

  // Queries first..last of each sequence, each block of them with all the keys that any of it sees.
  void attend_band(const EqualRun& run, int64_t first, int64_t last) const {
    for (int64_t begin = first; begin < last; begin += kEdge) {
      const int64_t end = std::min(begin + kEdge, last);
      const int64_t key_begin = std::max<int64_t>(begin - *spec_.window, 0);
      const int64_t key_end = std::min(end + keys_after(), run.length);
      attend_range(run, begin, end, key_begin, key_end,
                   band_mask(end - begin, key_end - key_begin, begin - key_begin, band(), query_));
    }
  }

  void attend_range(const EqualRun& run, int64_t begin, int64_t end, int64_t key_begin, int64_t key_end,
                    const std::optional<Tensor>& mask) const {
    const int64_t group = spec_.heads / spec_.kv_heads;
    const auto queries = [&](const Tensor& rows) {
      return sequences(rows, run)
          .narrow(1, begin, end - begin)
          .unflatten(2, {spec_.kv_heads, group, spec_.head_dim})
          .permute({0, 2, 3, 1, 4});
    };
    const auto keys = [&](const Tensor& rows) {
      return sequences(rows, run)
          .narrow(1, key_begin, key_end - key_begin)
          .unflatten(2, {spec_.kv_heads, spec_.head_dim})
          .transpose(1, 2);
    };
    attend_blocks({queries(query_), queries(output_), keys(key_), keys(value_)}, mask, !mask && spec_.causal,
                  spec_.scale);
  }

  // [sequences, length, columns] of one run
  static Tensor sequences(const Tensor& rows, const EqualRun& run) {
    return rows.narrow(0, run.first_row, run.sequences * run.length).unflatten(0, {run.sequences, run.length});
  }

  // Blocks of kBlock queries from `first_row` on, each with its window of keys: views, nothing is copied.
  Blocks strided(int64_t first_row, int64_t blocks) const {
    const int64_t group = spec_.heads / spec_.kv_heads;
    const auto queries = [&](const Tensor& rows) {
      return rows.narrow(0, first_row, blocks * kBlock)
          .unflatten(0, {blocks, kBlock})
          .unflatten(2, {spec_.kv_heads, group, spec_.head_dim})
          .permute({0, 2, 3, 1, 4});
    };
    const int64_t keys_per_block = *spec_.window + kBlock + keys_after();
    const auto keys = [&](const Tensor& rows) {
      return rows.narrow(0, first_row - *spec_.window, (blocks - 1) * kBlock + keys_per_block)
          .unfold(0, keys_per_block, kBlock)
          .unflatten(1, {spec_.kv_heads, spec_.head_dim})
          .transpose(2, 3);
    };
    return {queries(query_), queries(output_), keys(key_), keys(value_)};
  }

  const Tensor &query_, &key_, &value_;
  const AttentionSpec& spec_;
  Tensor output_;
};

Tensor attend_plainly(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionSpec& spec,
                      const PackedBatch& batch) {
  const Attention attention(query, key, value, spec);
  for (const EqualRun& run : equal_runs(batch)) {
    if (spec.window && *spec.window < run.length - 1) {
      attention.windowed(run);
    } else {
      attention.full(run);
    }
  }
  return attention.take_output();
}

}  // namespace

at::Tensor attend(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionSpec& spec,
                  const KeptRows& rows) {
  if (tiles_fit(query, key, value)) return attend_in_tiles(query, key, value, spec, rows);
  const Tensor spread = rows.spread(query);
  return rows.take(flash_fits(spread, spec) ? attend_by_flash(spread, key, value, spec, rows.source())
                                            : attend_plainly(spread, key, value, spec, rows.source()));
}

}  // namespace vsr::core
