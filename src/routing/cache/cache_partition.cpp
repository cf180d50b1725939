#include "routing/cache/cache_partition.h"

#include <mutex>
#include <shared_mutex>
#include <utility>

namespace vsr::routing {

CachePartition::CachePartition(std::string encoded_key, size_t dim, const VectorSketch& sketch, CacheOrder& order)
    : encoded_key_(std::move(encoded_key)), order_(order), vectors_(dim, sketch) {}

CachePartition::EntryPointer CachePartition::find(const CacheKey& key) const {
  const std::shared_lock lock(mutex_);
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : found->second.entry;
}

CachePartition::EntryPointer CachePartition::find_with_vector(const CacheKey& key, std::vector<float>& vector) const {
  const std::shared_lock lock(mutex_);
  vector.clear();
  const auto found = entries_.find(key);
  if (found == entries_.end()) return nullptr;
  if (found->second.slot) {
    const auto row = vectors_.row(*found->second.slot);
    vector.assign(row.begin(), row.end());
  }
  return found->second.entry;
}

std::vector<CachePartition::Near> CachePartition::nearest(const CacheQuery& query, float threshold,
                                                          size_t count) const {
  std::vector<Near> near;
  const std::shared_lock lock(mutex_);
  for (const CacheVectors::Hit& hit : vectors_.nearest(query, threshold, count)) {
    near.push_back({hit.similarity, entries_.at(by_id_.at(hit.tag)).entry});
  }
  return near;
}

bool CachePartition::insert(EntryPointer entry, const std::optional<CacheQuery>& vector) {
  CacheOrder::Item item{entry->id, entry->key, shared_from_this(), entry->bytes(), entry->expires_ms};
  const std::unique_lock lock(mutex_);
  if (closed_) return false;
  const auto present = entries_.find(entry->key);
  if (present != entries_.end()) erase_held(present);
  Held held{entry, std::nullopt};
  if (vector) {
    held.slot = vectors_.add(*vector, entry->id);
    by_id_.emplace(entry->id, entry->key);
  }
  entries_.emplace(entry->key, std::move(held));
  order_.add(std::move(item));
  charge(bytes());
  return true;
}

// The tables' nodes are counted with the entries.
size_t CachePartition::bytes() const {
  constexpr size_t kDirectory = 96;  // the node there and the shared count
  constexpr size_t kBucket = sizeof(void*);
  return sizeof *this + kDirectory + encoded_key_.capacity() + vectors_.bytes() +
         kBucket * (entries_.bucket_count() + by_id_.bucket_count());
}

void CachePartition::charge(size_t bytes) {
  order_.charge(static_cast<ptrdiff_t>(bytes) - static_cast<ptrdiff_t>(charged_));
  charged_ = bytes;
}

void CachePartition::erase_held(Table::iterator held) {
  const auto [entry, slot] = held->second;
  if (slot) {
    const uint64_t moved = vectors_.remove(*slot);
    if (moved != entry->id) entries_.at(by_id_.at(moved)).slot = *slot;
    by_id_.erase(entry->id);
  }
  order_.remove(entry->id);
  entries_.erase(held);
}

bool CachePartition::erase(const CacheKey& key, uint64_t id) {
  EntryPointer removed;  // outlives the lock, which others wait for
  const std::unique_lock lock(mutex_);
  const auto found = entries_.find(key);
  if (found == entries_.end() || (id != 0 && found->second.entry->id != id)) return false;
  removed = found->second.entry;
  erase_held(found);
  charge(bytes());
  return true;
}

size_t CachePartition::clear() {
  const std::unique_lock lock(mutex_);
  const size_t count = entries_.size();
  while (!entries_.empty()) erase_held(entries_.begin());
  charge(bytes());
  return count;
}

bool CachePartition::close_if_empty() {
  const std::unique_lock lock(mutex_);
  closed_ = closed_ || entries_.empty();
  if (closed_) charge(0);
  return closed_;
}

}  // namespace vsr::routing
