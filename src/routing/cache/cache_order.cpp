#include "routing/cache/cache_order.h"

namespace vsr::routing {

void CacheOrder::charge(ptrdiff_t bytes) {
  const std::lock_guard lock(mutex_);
  bytes_ += static_cast<size_t>(bytes);
}

void CacheOrder::add(Item item) {
  const std::lock_guard lock(mutex_);
  bytes_ += item.bytes;
  by_expiry_.emplace(item.expires_ms, item.id);
  const uint64_t id = item.id;
  by_id_[id] = items_.insert(items_.end(), std::move(item));
}

void CacheOrder::touch(uint64_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = by_id_.find(id);
  if (found != by_id_.end()) items_.splice(items_.end(), items_, found->second);
}

void CacheOrder::remove(uint64_t id) {
  Items removed;  // outlives the lock: its partition may end with it
  const std::lock_guard lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  bytes_ -= found->second->bytes;
  by_expiry_.erase({found->second->expires_ms, id});
  removed.splice(removed.end(), items_, found->second);
  by_id_.erase(found);
}

std::optional<CacheOrder::Item> CacheOrder::oldest_beyond(size_t max_entries, size_t max_bytes) const {
  const std::lock_guard lock(mutex_);
  if (items_.empty() || (items_.size() <= max_entries && bytes_ <= max_bytes)) return std::nullopt;
  return items_.front();
}

std::vector<CacheOrder::Item> CacheOrder::expired(int64_t now_ms, size_t limit) const {
  const std::lock_guard lock(mutex_);
  std::vector<Item> found;
  for (auto at = by_expiry_.begin(); at != by_expiry_.end() && at->first <= now_ms && found.size() < limit; ++at) {
    found.push_back(*by_id_.at(at->second));
  }
  return found;
}

std::vector<CacheOrder::Item> CacheOrder::items() const {
  const std::lock_guard lock(mutex_);
  return {items_.begin(), items_.end()};
}

CacheOrder::Totals CacheOrder::totals() const {
  const std::lock_guard lock(mutex_);
  return {items_.size(), bytes_};
}

}  // namespace vsr::routing
