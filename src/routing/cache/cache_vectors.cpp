#include "routing/cache/cache_vectors.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "routing/vectors/dot_kernels.h"

namespace vsr::routing {
namespace {

constexpr size_t kChunkRows = 1024;
constexpr size_t kMaxCandidates = 512;
constexpr std::align_val_t kLine{64};

struct FreeAligned {
  void operator()(float* p) const { ::operator delete(p, kLine); }
};

}  // namespace

struct CacheVectors::Chunk {
  Chunk(size_t room, size_t stride, size_t words)
      : rows(room),
        floats(static_cast<float*>(::operator new(room* stride * sizeof(float), kLine))),
        sketches(room * words) {}
  size_t rows;
  std::unique_ptr<float, FreeAligned> floats;
  std::vector<uint64_t> sketches;
};

CacheVectors::CacheVectors(size_t dim, const VectorSketch& sketch)
    : dim_(dim), stride_(padded_dim(dim)), sketch_(sketch) {}

CacheVectors::~CacheVectors() = default;

CacheQuery CacheVectors::prepare(const VectorSketch& sketch, std::span<const float> unit_vector) {
  CacheQuery query;
  query.row.assign(unit_vector.begin(), unit_vector.end());
  query.row.resize(padded_dim(unit_vector.size()));
  query.sketch = sketch.of(unit_vector);
  return query;
}

const float* CacheVectors::floats(size_t slot) const {
  return chunks_[slot / kChunkRows]->floats.get() + slot % kChunkRows * stride_;
}

std::span<const float> CacheVectors::row(size_t slot) const { return {floats(slot), dim_}; }

size_t CacheVectors::bytes() const {
  const size_t row = stride_ * sizeof(float) + sketch_.words() * sizeof(uint64_t);
  return capacity() * row + chunks_.size() * (sizeof(Chunk) + 2 * static_cast<size_t>(kLine)) +
         chunks_.capacity() * sizeof(chunks_[0]) + tags_.capacity() * sizeof(uint64_t);
}

size_t CacheVectors::capacity() const {
  return chunks_.empty() ? 0 : (chunks_.size() - 1) * kChunkRows + chunks_.back()->rows;
}

void CacheVectors::resize_only_chunk(size_t rows) {
  auto chunk = std::make_unique<Chunk>(rows, stride_, sketch_.words());
  std::copy_n(chunks_.front()->floats.get(), size() * stride_, chunk->floats.get());
  std::copy_n(chunks_.front()->sketches.begin(), size() * sketch_.words(), chunk->sketches.begin());
  chunks_.front() = std::move(chunk);
}

void CacheVectors::grow() {
  const size_t rows = capacity();
  if (rows > 0 && rows < kChunkRows) return resize_only_chunk(2 * rows);
  chunks_.push_back(std::make_unique<Chunk>(rows == 0 ? 1 : kChunkRows, stride_, sketch_.words()));
}

size_t CacheVectors::add(const CacheQuery& vector, uint64_t tag) {
  const size_t slot = tags_.size();
  if (slot == capacity()) grow();
  Chunk& chunk = *chunks_[slot / kChunkRows];
  tags_.push_back(tag);
  std::copy_n(vector.row.begin(), stride_, chunk.floats.get() + slot % kChunkRows * stride_);
  std::copy_n(vector.sketch.begin(), sketch_.words(), chunk.sketches.begin() + slot % kChunkRows * sketch_.words());
  return slot;
}

uint64_t CacheVectors::remove(size_t slot) {
  const size_t last = tags_.size() - 1, words = sketch_.words();
  if (slot != last) {
    Chunk& to = *chunks_[slot / kChunkRows];
    const Chunk& from = *chunks_[last / kChunkRows];
    std::copy_n(floats(last), stride_, to.floats.get() + slot % kChunkRows * stride_);
    std::copy_n(from.sketches.begin() + last % kChunkRows * words, words,
                to.sketches.begin() + slot % kChunkRows * words);
    tags_[slot] = tags_[last];
  }
  const uint64_t moved = tags_[slot];
  tags_.pop_back();
  // One empty chunk is kept, so that a cache whose size goes up and down around a boundary does not allocate.
  if (tags_.size() + 2 * kChunkRows <= chunks_.size() * kChunkRows) chunks_.pop_back();
  const bool alone = chunks_.size() == 1;
  if (alone && size() > 0 && 4 * size() <= capacity()) resize_only_chunk(capacity() / 2);
  return moved;
}

float CacheVectors::similarity(const CacheQuery& query, size_t slot) const {
  return std::clamp(dot_kernels().dot(query.row.data(), floats(slot), stride_), -1.0f, 1.0f);
}

// The slots whose sketches are within the threshold's radius; if there are too many, within the largest that is not.
std::vector<size_t> CacheVectors::near_sketches(const CacheQuery& query, float threshold) const {
  std::vector<uint16_t> distances(chunks_.size() * kChunkRows);
  for (size_t begin = 0; begin < size(); begin += kChunkRows) {
    const size_t n = std::min(kChunkRows, size() - begin);
    hamming_distances(query.sketch.data(), chunks_[begin / kChunkRows]->sketches.data(), n, sketch_.words(),
                      distances.data() + begin);
  }
  const size_t radius = sketch_.radius(threshold);
  std::vector<uint32_t> at_distance(sketch_.bits() + 1);
  for (size_t slot = 0; slot < size(); ++slot) ++at_distance[distances[slot]];
  size_t reach = 0, total = 0;  // all slots nearer than `reach` are taken
  while (reach <= radius && (total + at_distance[reach] <= kMaxCandidates)) total += at_distance[reach++];
  size_t rest = reach <= radius ? kMaxCandidates - total : 0;  // and as many as fit of those just there

  std::vector<size_t> slots;
  slots.reserve(total + rest);
  for (size_t slot = 0; slot < size(); ++slot) {
    if (distances[slot] > reach) continue;
    if (distances[slot] == reach && rest == 0) continue;
    if (distances[slot] == reach) --rest;
    slots.push_back(slot);
  }
  return slots;
}

std::vector<CacheVectors::Hit> CacheVectors::nearest(const CacheQuery& query, float threshold, size_t count) const {
  std::vector<Hit> hits;
  const auto offer = [&](size_t slot) {
    const float value = similarity(query, slot);
    if (value >= threshold) hits.push_back({value, tags_[slot]});
  };
  if (size() <= kExactRows) {
    for (size_t slot = 0; slot < size(); ++slot) offer(slot);
  } else {
    for (const size_t slot : near_sketches(query, threshold)) offer(slot);
  }
  const size_t kept = std::min(count, hits.size());
  std::partial_sort(hits.begin(), hits.begin() + kept, hits.end(), [](const Hit& a, const Hit& b) {
    return a.similarity != b.similarity ? a.similarity > b.similarity : a.tag < b.tag;
  });
  hits.resize(kept);
  return hits;
}

}  // namespace vsr::routing
