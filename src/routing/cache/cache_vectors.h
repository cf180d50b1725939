// The vectors of one partition of the cache: rows that come and go, and the nearest of them above a threshold. A few
// rows are scanned exactly; of many, those whose sketches are near the query's are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "routing/vectors/vector_sketch.h"

namespace vsr::routing {

// Up to this many rows the scan over floats is as fast. From bench/cache_bench.cpp.
constexpr size_t kExactRows = 2048;

// What a search needs to know of a query; made outside of any lock.
struct CacheQuery {
  std::vector<float> row;  // padded_dim(dim) floats
  std::vector<uint64_t> sketch;
};

// Not thread-safe; nearest() may run in many threads while nothing else does.
class CacheVectors {
 public:
  struct Hit {
    float similarity;
    uint64_t tag;
  };

  // `sketch` must outlive this.
  CacheVectors(size_t dim, const VectorSketch& sketch);
  ~CacheVectors();

  static CacheQuery prepare(const VectorSketch& sketch, std::span<const float> unit_vector);

  // Returns the row's slot. `tag` is the caller's.
  size_t add(const CacheQuery& vector, uint64_t tag);

  // Removes a slot; the last row moves into it. Returns the tag of the row that now has this slot, which is the removed
  // one's own if it was the last.
  uint64_t remove(size_t slot);

  // The up to `count` rows of at least this similarity (cosine), best first, equal ones by tag. Beyond kExactRows rows,
  // one at the threshold is missed less than once in a million times; if more than 512 rows come near, those farther by
  // their sketches are not looked at.
  std::vector<Hit> nearest(const CacheQuery& query, float threshold, size_t count) const;

  size_t size() const { return tags_.size(); }
  std::span<const float> row(size_t slot) const;  // dim floats
  size_t bytes() const;                           // of all rows and the room for more

 private:
  struct Chunk;
  size_t capacity() const;
  void grow();
  void resize_only_chunk(size_t rows);
  const float* floats(size_t slot) const;
  float similarity(const CacheQuery& query, size_t slot) const;
  std::vector<size_t> near_sketches(const CacheQuery& query, float threshold) const;

  size_t dim_;
  size_t stride_;
  const VectorSketch& sketch_;
  // All of kChunkRows rows, so that growth copies nothing; only one that is alone may be smaller, since most partitions
  // hold a row or two.
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<uint64_t> tags_;  // by slot
};

}  // namespace vsr::routing
