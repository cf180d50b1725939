#include "routing/vectors/vector_graph.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

// Without it hnswlib defines global functions in its header and prefetches past the ends of its lists.
#define NO_MANUAL_VECTORIZATION
#include <hnswlib/hnswlib.h>

#include "base/error.h"
#include "routing/vectors/dot_kernels.h"

namespace vsr::routing {
namespace {

// Links per node, and candidates kept while building and while searching: bench/vector_index_bench.cpp shows their
// recall and cost.
constexpr size_t kLinks = 16;
constexpr size_t kBuildCandidates = 100;
constexpr size_t kSearchCandidates = 128;

// What hnswlib stores per node, and takes for a query, is the address of a row: the rows themselves stay in one place.
using RowAddress = const float*;

float negative_dot(const void* a, const void* b, const void* stride) {
  RowAddress x, y;  // hnswlib packs without regard to alignment
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  return -dot_kernels().dot(x, y, *static_cast<const size_t*>(stride));
}

class RowSpace : public hnswlib::SpaceInterface<float> {
 public:
  explicit RowSpace(size_t stride) : stride_(stride) {}
  size_t get_data_size() override { return sizeof(RowAddress); }
  hnswlib::DISTFUNC<float> get_dist_func() override { return &negative_dot; }
  void* get_dist_func_param() override { return &stride_; }

 private:
  size_t stride_;
};

}  // namespace

struct VectorGraph::Impl {
  Impl(size_t n_rows, size_t stride) : space(stride), hnsw(&space, n_rows, kLinks, kBuildCandidates) {
    hnsw.setEf(kSearchCandidates);
  }
  RowSpace space;
  hnswlib::HierarchicalNSW<float> hnsw;
};

VectorGraph::VectorGraph(const float* rows, size_t n_rows, size_t stride) try
    : impl_(std::make_unique<Impl>(n_rows, stride)) {
  for (size_t r = 0; r < n_rows; ++r) {
    const RowAddress row = rows + r * stride;
    impl_->hnsw.addPoint(&row, r);
  }
} catch (const std::runtime_error& error) {  // hnswlib's word for a failed malloc
  base::fail(base::Status::kOutOfMemory, "index of ", n_rows, " vectors: ", error.what());
}

VectorGraph::~VectorGraph() = default;

std::vector<VectorGraph::Hit> VectorGraph::search(const float* query, size_t count) const {
  auto found = impl_->hnsw.searchKnn(&query, count);
  std::vector<Hit> hits;
  hits.reserve(found.size());
  for (; !found.empty(); found.pop()) hits.push_back({-found.top().first, static_cast<uint32_t>(found.top().second)});
  return hits;
}

}  // namespace vsr::routing
