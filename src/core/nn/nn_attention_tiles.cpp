#include "core/nn/nn_attention_tiles.h"

#include <algorithm>
#include <vector>

#include "core/kernels/path.h"
#include "core/memory/buffers.h"
#include "core/schedule/machine.h"
#include "core/schedule/parallel.h"

namespace vsr::core {
namespace {

using at::Tensor;

// Queries that read a block of keys together: more of them copy it less often, fewer of them spread better.
constexpr int64_t kQueries = 128;

// One group of heads of one sequence, some of its queries.
struct Piece {
  int64_t sequence;
  int64_t kv_head;
  int64_t first;
};

// Heads inside, so that a short sequence's rows are still in the cache when the next head reads them.
std::vector<Piece> pieces_of(const KeptRows& rows, const AttentionSpec& spec, int64_t queries) {
  std::vector<Piece> pieces;
  for (int64_t i = 0; i < rows.source().sequences(); ++i) {
    const TokenRange range = rows.range(i);
    const bool local = spec.window && *spec.window < rows.source().length(i);
    const auto add_queries = [&](int64_t head, int64_t first) { pieces.push_back({i, head, first}); };
    if (local) {
      for (int64_t first = range.begin; first < range.end; first += queries) {
        for (int64_t head = 0; head < spec.kv_heads; ++head) add_queries(head, first);
      }
    } else {
      for (int64_t head = 0; head < spec.kv_heads; ++head) {
        for (int64_t first = range.begin; first < range.end; first += queries) add_queries(head, first);
      }
    }
  }
  return pieces;
}

template <class T>
class Tiles {
 public:
  Tiles(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& output, const AttentionSpec& spec,
        const KeptRows& rows)
      : query_(query), key_(key), value_(value), output_(output), spec_(spec), rows_(rows) {}

  void run() const {
    const int64_t tile = kernels::table().query_tile;
    const int64_t queries = std::max(tile, kQueries / group() / tile * tile);
    const std::vector<Piece> pieces = pieces_of(rows_, spec_, queries);
    parallel_pieces(static_cast<int64_t>(pieces.size()), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) run_piece(pieces[static_cast<size_t>(i)], queries);
    });
  }

 private:
  int64_t group() const { return spec_.heads / spec_.kv_heads; }

  void run_piece(const Piece& piece, int64_t queries) const {
    const int64_t row = rows_.source().begin(piece.sequence);
    const int64_t length = rows_.source().length(piece.sequence);
    const TokenRange range = rows_.range(piece.sequence);
    // Where the sequence's first token would be; the kernel counts queries from it and reads only those kept.
    const int64_t query_row = rows_.batch().begin(piece.sequence) - range.begin;
    const int64_t last = std::min(piece.first + queries, range.end);
    const int64_t before = spec_.window ? std::min(*spec_.window, length) : length;
    const int64_t kv_column = piece.kv_head * spec_.head_dim;
    const int64_t column = kv_column * group();
    thread_local std::vector<float> scratch;  // a thread's own, reused by all passes
    const auto needed =
        static_cast<size_t>(kernels::table().attention_scratch(spec_.head_dim, group(), last - piece.first));
    if (scratch.size() < needed) scratch.resize(needed);
    kernels::of<T>().attend({.query = at(query_, query_row, column),
                             .key = at(key_, row, kv_column),
                             .value = at(value_, row, kv_column),
                             .output = at(output_, query_row, column),
                             .query_stride = query_.stride(0),
                             .key_stride = key_.stride(0),
                             .value_stride = value_.stride(0),
                             .output_stride = output_.stride(0),
                             .heads = group(),
                             .head_dim = spec_.head_dim,
                             .length = length,
                             .first = piece.first,
                             .last = last,
                             .before = before,
                             .after = spec_.causal ? 0 : before,
                             .scale = static_cast<float>(spec_.scale),
                             .scratch = scratch.data()});
  }

  static T* at(const Tensor& rows, int64_t row, int64_t column) {
    return kernels::data<T>(rows) + row * rows.stride(0) + column;
  }

  const Tensor &query_, &key_, &value_, &output_;
  const AttentionSpec& spec_;
  const KeptRows& rows_;
};

}  // namespace

bool tiles_fit(const Tensor& query, const Tensor& key, const Tensor& value) {
  // In bfloat16 LibTorch's flash kernel has the matrix units to itself.
  if (query.scalar_type() == at::kBFloat16 && machine().bfloat16_matrix) return false;
  return kernels::runs_on(query) && kernels::runs_on(key) && kernels::runs_on(value) &&
         query.scalar_type() == key.scalar_type() && key.scalar_type() == value.scalar_type();
}

Tensor attend_in_tiles(const Tensor& query, const Tensor& key, const Tensor& value, const AttentionSpec& spec,
                       const KeptRows& rows) {
  const Tensor output = empty_buffer(query.sizes(), query.scalar_type());
  kernels::with_type_of(query, [&]<class T>() { Tiles<T>(query, key, value, output, spec, rows).run(); });
  return output;
}

}  // namespace vsr::core
