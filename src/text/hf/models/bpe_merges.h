// The merges of a BPE model: a flat hash table from a pair of tokens to its rank and what it becomes.
#pragma once

#include <cstdint>
#include <vector>

namespace vsr::text {

class BpeMerges {
 public:
  static constexpr uint32_t kNoRank = UINT32_MAX;

  struct Merge {
    uint32_t rank = kNoRank;
    int32_t id = -1;
  };

  explicit BpeMerges(size_t count) {
    size_t capacity = 16;
    while (capacity < count * 2) capacity *= 2;
    slots_.resize(capacity);
    mask_ = capacity - 1;
  }

  // A pair given again gets the later rank.
  void set(int32_t left, int32_t right, Merge merge) {
    Slot& slot = slots_[find_slot(key(left, right))];
    slot.key = key(left, right);
    slot.merge = merge;
  }

  Merge find(int32_t left, int32_t right) const { return slots_[find_slot(key(left, right))].merge; }

 private:
  struct Slot {
    uint64_t key = kEmpty;
    Merge merge;
  };
  static constexpr uint64_t kEmpty = UINT64_MAX;

  static uint64_t key(int32_t left, int32_t right) {
    return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
  }
  size_t find_slot(uint64_t key) const {
    uint64_t hash = key * 0x9FB21C651E98DF25;
    hash ^= hash >> 32;
    size_t slot = hash & mask_;
    while (slots_[slot].key != key && slots_[slot].key != kEmpty) slot = (slot + 1) & mask_;
    return slot;
  }

  std::vector<Slot> slots_;
  size_t mask_ = 0;
};

}  // namespace vsr::text
