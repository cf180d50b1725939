// Approximate nearest neighbours over rows that do not change: an HNSW graph (arXiv:1603.09320) by hnswlib.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace vsr::routing {

class VectorGraph {
 public:
  struct Hit {
    float similarity;
    uint32_t row;
  };

  // Links to `rows`, packed by `stride`, which must outlive the graph; no copy is made. Equal rows give equal graphs.
  VectorGraph(const float* rows, size_t n_rows, size_t stride);
  ~VectorGraph();

  // About the `count` rows with the largest dot product with `query` (`stride` floats), in no order. Thread-safe.
  std::vector<Hit> search(const float* query, size_t count) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vsr::routing
