// The entries of one partition of the cache: by key, and by vector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/fair_shared_mutex.h"
#include "routing/cache/cache_entry.h"
#include "routing/cache/cache_order.h"
#include "routing/cache/cache_vectors.h"

namespace vsr::routing {

// Thread-safe: searches run side by side, changes take microseconds. Every entry here is in the order, and no other.
class CachePartition : public std::enable_shared_from_this<CachePartition> {
 public:
  using EntryPointer = std::shared_ptr<CacheEntry>;
  struct Near {
    float similarity;
    EntryPointer entry;
  };

  // `sketch` and `order` must outlive this.
  CachePartition(std::string encoded_key, size_t dim, const VectorSketch& sketch, CacheOrder& order);

  // Null when there is none.
  EntryPointer find(const CacheKey& key) const;

  // The up to `count` entries with vectors of at least that similarity, best first.
  std::vector<Near> nearest(const CacheQuery& query, float threshold, size_t count) const;

  // Adds an entry, in the place of one with its key. Returns false, and adds nothing, once the partition is closed.
  bool insert(EntryPointer entry, const std::optional<CacheQuery>& vector);

  // Removes the entry of that key if it (still) has that id; id 0: any. Says whether it did.
  bool erase(const CacheKey& key, uint64_t id = 0);

  // Removes all entries and returns how many there were.
  size_t clear();

  // A partition without entries takes no more of them, and counts no more; says whether it is closed now.
  bool close_if_empty();

  // The entry with its vector, which is empty if it has none. Null when there is none.
  EntryPointer find_with_vector(const CacheKey& key, std::vector<float>& vector) const;

  const std::string& encoded_key() const { return encoded_key_; }

 private:
  struct Held {
    EntryPointer entry;
    std::optional<size_t> slot;
  };
  using Table = std::unordered_map<CacheKey, Held, CacheKeyHash>;
  void erase_held(Table::iterator held);
  size_t bytes() const;
  void charge(size_t bytes);

  std::string encoded_key_;
  CacheOrder& order_;
  mutable base::FairSharedMutex mutex_;
  bool closed_ = false;
  size_t charged_ = 0;  // what the order counts for this, beside its entries
  Table entries_;
  std::unordered_map<uint64_t, CacheKey> by_id_;  // of those with vectors
  CacheVectors vectors_;
};

}  // namespace vsr::routing
