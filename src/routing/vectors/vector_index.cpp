#include "routing/vectors/vector_index.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "routing/vectors/dot_kernels.h"

namespace vsr::routing {
namespace {

// Rows start on cache lines.
template <class T>
struct CacheAligned {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};
  CacheAligned() = default;
  template <class U>
  CacheAligned(const CacheAligned<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* p, size_t) { ::operator delete(p, kLine); }
  bool operator==(const CacheAligned&) const { return true; }
};
using Floats = std::vector<float, CacheAligned<float>>;

// A row that has length 1 already is kept bit for bit; one without a direction becomes zero.
void copy_normalized(const float* from, size_t dim, float* to) {
  double squares = 0;
  for (size_t i = 0; i < dim; ++i) squares += static_cast<double>(from[i]) * from[i];
  if (!std::isfinite(squares) || squares == 0) return void(std::fill_n(to, dim, 0.0f));
  if (std::abs(squares - 1) < 1e-6) return void(std::copy_n(from, dim, to));
  const double scale = 1 / std::sqrt(squares);
  for (size_t i = 0; i < dim; ++i) to[i] = static_cast<float>(from[i] * scale);
}

bool nearer(const Neighbour& a, const Neighbour& b) {
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.id < b.id;
}

// The k nearest of what was offered: a heap with the farthest in front.
class Nearest {
 public:
  explicit Nearest(size_t k) : k_(k) {}

  void offer(const Neighbour& neighbour) {
    if (heap_.size() == k_) {
      if (!nearer(neighbour, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), nearer);
      heap_.pop_back();
    }
    heap_.push_back(neighbour);
    std::push_heap(heap_.begin(), heap_.end(), nearer);
  }

  std::vector<Neighbour> take() {
    std::sort_heap(heap_.begin(), heap_.end(), nearer);
    return std::move(heap_);
  }

 private:
  size_t k_;
  std::vector<Neighbour> heap_;
};

}  // namespace

struct VectorIndex::Rows {
  explicit Rows(size_t dim) : stride(padded_dim(dim)) {}

  size_t size() const { return ids.size(); }
  const float* row(size_t r) const { return vectors.data() + r * stride; }

  void reserve(size_t n) {
    vectors.reserve(n * stride);
    ids.reserve(n);
    owners.reserve(n);
  }
  void push(const float* padded, uint64_t id, uint32_t owner) {
    vectors.insert(vectors.end(), padded, padded + stride);
    ids.push_back(id);
    owners.push_back(owner);
  }
  // Those of `block` that are not removed, but for the owner's.
  void push_all(const Block& block, const uint32_t* except = nullptr) {
    const Rows& from = *block.rows;
    for (size_t r = 0; r < from.size(); ++r) {
      if (block.removed != nullptr && (*block.removed)[r]) continue;
      if (except != nullptr && from.owners[r] == *except) continue;
      push(from.row(r), from.ids[r], from.owners[r]);
    }
  }

  size_t stride;
  Floats vectors;
  std::vector<uint64_t> ids;
  std::vector<uint32_t> owners;
};

// Up to kQueryBlock queries on their way through the blocks.
class VectorIndex::Search {
 public:
  Search(const float* queries, size_t n_queries, size_t dim, size_t k)
      : stride_(padded_dim(dim)), k_(k), queries_(kQueryBlock * stride_), nearest_(n_queries, Nearest(k)) {
    for (size_t q = 0; q < n_queries; ++q) copy_normalized(queries + q * dim, dim, queries_.data() + q * stride_);
  }

  void visit(const Block& block) {
    if (block.graph != nullptr) {
      for (size_t q = 0; q < nearest_.size(); ++q) walk(block, q);
    } else if (nearest_.size() == 1) {
      scan_one(block, 0);
    } else {
      scan(block);
    }
  }

  Nearest& nearest(size_t query) { return nearest_[query]; }

 private:
  static constexpr size_t kTile = 128;  // rows whose similarities fit the first-level cache

  const float* query(size_t q) const { return queries_.data() + q * stride_; }

  void offer(const Block& block, size_t r, float dot, size_t q) {
    if (block.removed != nullptr && (*block.removed)[r]) return;
    nearest_[q].offer({std::clamp(dot, -1.0f, 1.0f), block.rows->ids[r], block.rows->owners[r]});
  }

  void scan(const Block& block) {
    float dots[kQueryBlock * kTile];
    const Rows& rows = *block.rows;
    for (size_t begin = 0; begin < rows.size(); begin += kTile) {
      const size_t n = std::min(kTile, rows.size() - begin);
      dot_kernels().dot_rows(queries_.data(), rows.row(begin), n, stride_, dots);
      for (size_t q = 0; q < nearest_.size(); ++q) {
        for (size_t r = 0; r < n; ++r) offer(block, begin + r, dots[q * n + r], q);
      }
    }
  }

  // As scan() for one query: the kernel's sides change places, so that it still has kQueryBlock sums on the way.
  void scan_one(const Block& block, size_t q) {
    const Rows& rows = *block.rows;
    float dots[kQueryBlock];
    size_t r = 0;
    for (; r + kQueryBlock <= rows.size(); r += kQueryBlock) {
      dot_kernels().dot_rows(rows.row(r), query(q), 1, stride_, dots);
      for (size_t i = 0; i < kQueryBlock; ++i) offer(block, r + i, dots[i], q);
    }
    for (; r < rows.size(); ++r) offer(block, r, dot_kernels().dot(rows.row(r), query(q), stride_), q);
  }

  // Removed rows are still in the graph: asks for more until enough others are among the hits.
  void walk(const Block& block, size_t q) {
    const size_t wanted = std::min(k_, block.size);
    for (size_t count = k_; count < block.rows->size() / 4; count *= 2) {
      const auto hits = block.graph->search(query(q), count);
      const auto is_removed = [&](const auto& hit) { return block.removed != nullptr && (*block.removed)[hit.row]; };
      const size_t removed = std::count_if(hits.begin(), hits.end(), is_removed);
      if (hits.size() - removed < wanted) continue;
      for (const auto& hit : hits) offer(block, hit.row, hit.similarity, q);
      return;
    }
    scan_one(block, q);
  }

  size_t stride_;
  size_t k_;
  Floats queries_;
  std::vector<Nearest> nearest_;
};

VectorIndex::VectorIndex(size_t dim, size_t graph_rows) : dim_(dim), graph_rows_(graph_rows) {}

VectorIndex::Block VectorIndex::make_block(std::shared_ptr<const Rows> rows) const {
  Block block{rows, nullptr, nullptr, rows->size()};
  if (rows->size() >= graph_rows_) {
    // The graph points into the rows.
    block.graph = std::make_shared<VectorGraph>(rows->vectors.data(), rows->size(), rows->stride);
  }
  return block;
}

void VectorIndex::append(std::shared_ptr<Rows> rows) {
  size_ += rows->size();
  size_t n_joined = 0, total = rows->size();
  while (n_joined < blocks_.size() && (blocks_.end() - 1 - n_joined)->size <= total) {
    total += (blocks_.end() - 1 - n_joined)->size;
    ++n_joined;
  }
  if (n_joined > 0) {
    auto all = std::make_shared<Rows>(dim_);
    all->reserve(total);
    for (auto block = blocks_.end() - n_joined; block != blocks_.end(); ++block) all->push_all(*block);
    all->push_all(Block{rows, nullptr, nullptr, rows->size()});
    blocks_.erase(blocks_.end() - n_joined, blocks_.end());
    rows = std::move(all);
  }
  blocks_.push_back(make_block(std::move(rows)));
}

VectorIndex VectorIndex::with(std::span<const float> vectors, std::span<const uint32_t> owners) const {
  VectorIndex next = *this;
  if (owners.empty()) return next;
  auto rows = std::make_shared<Rows>(dim_);
  rows->reserve(owners.size());
  Floats padded(rows->stride);
  for (size_t r = 0; r < owners.size(); ++r) {
    copy_normalized(vectors.data() + r * dim_, dim_, padded.data());
    rows->push(padded.data(), next.next_id_++, owners[r]);
  }
  next.append(std::move(rows));
  return next;
}

VectorIndex::Block VectorIndex::without_owner(const Block& block, uint32_t owner) const {
  const Rows& rows = *block.rows;
  if (block.graph != nullptr) {
    auto removed = block.removed ? *block.removed : std::vector<bool>(rows.size());
    for (size_t r = 0; r < rows.size(); ++r) removed[r] = removed[r] || rows.owners[r] == owner;
    const size_t left = std::count(removed.begin(), removed.end(), false);
    // A graph is costly to make, so it outlives the removal of up to a quarter of its rows.
    if (left >= rows.size() - rows.size() / 4) {
      return {block.rows, block.graph, std::make_shared<const std::vector<bool>>(std::move(removed)), left};
    }
  }
  auto left = std::make_shared<Rows>(dim_);
  left->push_all(block, &owner);
  return make_block(std::move(left));
}

VectorIndex VectorIndex::without(uint32_t owner) const {
  VectorIndex next = *this;
  next.size_ = 0;
  next.blocks_.clear();
  for (const Block& block : blocks_) {
    const auto& owners = block.rows->owners;
    const bool concerned = std::find(owners.begin(), owners.end(), owner) != owners.end();
    Block left = concerned ? without_owner(block, owner) : block;
    if (left.size == 0) continue;
    next.size_ += left.size;
    next.blocks_.push_back(std::move(left));
  }
  return next;
}

std::vector<std::vector<Neighbour>> VectorIndex::nearest(std::span<const float> queries, size_t k) const {
  const size_t n_queries = dim_ == 0 ? 0 : queries.size() / dim_;
  std::vector<std::vector<Neighbour>> found(n_queries);
  if (k == 0) return found;
  for (size_t begin = 0; begin < n_queries; begin += kQueryBlock) {
    const size_t n = std::min(kQueryBlock, n_queries - begin);
    Search search(queries.data() + begin * dim_, n, dim_, k);
    for (const Block& block : blocks_) search.visit(block);
    for (size_t q = 0; q < n; ++q) found[begin + q] = search.nearest(q).take();
  }
  return found;
}

bool VectorIndex::has_graph() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [](const Block& block) { return block.graph != nullptr; });
}

void VectorIndex::for_each(const Visit& visit) const {
  for (const Block& block : blocks_) {
    for (size_t r = 0; r < block.rows->size(); ++r) {
      if (block.removed != nullptr && (*block.removed)[r]) continue;
      visit(block.rows->ids[r], block.rows->owners[r], block.rows->row(r));
    }
  }
}

}  // namespace vsr::routing
