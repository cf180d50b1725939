// Which entries of the cache are to go next: by last use, and by expiry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "routing/cache/cache_entry.h"

namespace vsr::routing {

class CachePartition;

// Thread-safe; each call takes O(log n) under one lock, which is a leaf: nothing is called while it is held.
class CacheOrder {
 public:
  struct Item {
    uint64_t id;
    CacheKey key;
    std::shared_ptr<CachePartition> partition;
    size_t bytes;
    int64_t expires_ms;
  };
  struct Totals {
    size_t entries = 0;
    size_t bytes = 0;
  };

  // Counts what a partition takes beside its entries; given back with a number below 0.
  void charge(ptrdiff_t bytes);
  // As the most recently used.
  void add(Item item);
  // What is not there (any more) is left alone.
  void touch(uint64_t id);
  void remove(uint64_t id);

  // The least recently used entry, if there are more than `max_entries` entries or `max_bytes` bytes.
  std::optional<Item> oldest_beyond(size_t max_entries, size_t max_bytes) const;
  // Up to `limit` entries that expire at `now_ms` or before, the earliest first.
  std::vector<Item> expired(int64_t now_ms, size_t limit) const;
  // All, the least recently used first.
  std::vector<Item> items() const;
  Totals totals() const;

 private:
  using Items = std::list<Item>;
  mutable std::mutex mutex_;
  Items items_;  // the least recently used first
  std::unordered_map<uint64_t, Items::iterator> by_id_;
  std::set<std::pair<int64_t, uint64_t>> by_expiry_;
  size_t bytes_ = 0;
};

}  // namespace vsr::routing
