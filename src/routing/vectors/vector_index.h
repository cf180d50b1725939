// Nearest neighbours by cosine similarity: exact by a scan, through a graph where there are very many rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "routing/vectors/vector_graph.h"

namespace vsr::routing {

// Blocks of at least this many rows get a graph. From bench/vector_index_bench.cpp; bench/README.md has its figures.
constexpr size_t kGraphRows = 16384;

struct Neighbour {
  float similarity;  // cosine, in [-1, 1]; 0 to a row or query that is zero or not finite
  uint64_t id;       // the row's number in the order of insertion
  uint32_t owner;
  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

// An immutable set of rows, each with an owner. with() and without() return another set that shares nearly all memory
// with this one. Rows lie in blocks; a new block is joined with the one before it once it has grown as large, so n
// rows are copied O(log n) times each and a scan meets O(log n) blocks.
class VectorIndex {
 public:
  explicit VectorIndex(size_t dim, size_t graph_rows = kGraphRows);

  // Adds owners.size() rows, packed by dim(). The call that completes a block of `graph_rows` rows builds its graph.
  VectorIndex with(std::span<const float> vectors, std::span<const uint32_t> owners) const;
  // Drops the rows of an owner.
  VectorIndex without(uint32_t owner) const;

  // For each query (packed by dim()) its min(k, size()) nearest rows, best first, equal ones by id. Rows in a block
  // with a graph may be missed.
  std::vector<std::vector<Neighbour>> nearest(std::span<const float> queries, size_t k) const;

  size_t dim() const { return dim_; }
  size_t size() const { return size_; }
  bool has_graph() const;

  // Visits id, owner and dim() floats of every row, in the order of ids. A row has length 1, or is zero.
  using Visit = std::function<void(uint64_t id, uint32_t owner, const float* row)>;
  void for_each(const Visit& visit) const;

 private:
  struct Rows;
  struct Block {
    std::shared_ptr<const Rows> rows;
    std::shared_ptr<const VectorGraph> graph;          // or null
    std::shared_ptr<const std::vector<bool>> removed;  // null: none; only where there is a graph
    size_t size = 0;                                   // rows that are not removed
  };
  class Search;

  Block make_block(std::shared_ptr<const Rows> rows) const;
  Block without_owner(const Block& block, uint32_t owner) const;
  void append(std::shared_ptr<Rows> rows);

  size_t dim_;
  size_t graph_rows_;
  size_t size_ = 0;
  uint64_t next_id_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace vsr::routing
