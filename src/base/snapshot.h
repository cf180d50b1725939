// A shared value that is replaced whole: readers take it without a lock, writers queue.
// std::atomic<std::shared_ptr> would do, but GCC 12 builds it on a spin lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace vsr::base {

namespace snapshot_detail {

constexpr size_t kShards = 16;

// Threads get shards in turn, so that readers on several cores do not write to one cache line.
inline size_t this_threads_shard() {
  static std::atomic<size_t> next{0};
  thread_local const size_t shard = next.fetch_add(1, std::memory_order_relaxed) % kShards;
  return shard;
}

}  // namespace snapshot_detail

// What load() returned stays valid and unchanged for as long as the caller keeps it. A replaced value is freed when the
// last holder lets go of it: in the writer if there is no reader, else in that reader's thread.
//
// A reader counts itself in (I), reads the node (L), copies the shared_ptr and counts itself out (O). A writer puts a
// new node in place (X), then sees each shard's count at zero once (C), then deletes the old node. All are sequentially
// consistent. If L saw the old node, then I < L < X < C in their total order, so C's value includes I; since it is
// zero it includes O too, and O (release) to C (acquire) orders the copy before the deletion. If L saw the new node,
// the old one does not concern this reader. A reader is inside for some nanoseconds and never waits.
template <class T>
class Snapshot {
 public:
  using Pointer = std::shared_ptr<const T>;

  explicit Snapshot(Pointer value = nullptr) : node_(new Node{std::move(value)}) {}
  ~Snapshot() { delete node_.load(); }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  Pointer load() const {
    std::atomic<size_t>& readers = shards_[snapshot_detail::this_threads_shard()].readers;
    readers.fetch_add(1);
    Pointer value = node_.load()->value;
    readers.fetch_sub(1);
    return value;
  }

  void store(Pointer value) { exchange(std::move(value)); }

  // Returns the value that was replaced.
  Pointer exchange(Pointer value) {
    const std::lock_guard lock(writers_);
    return replace(std::move(value));
  }

  // Stores make(present value) with no other writer in between; nothing changes if `make` throws. Returns what was
  // stored. `make` must not write to this snapshot.
  template <class Make>
  Pointer update(Make&& make) {
    Pointer old;  // outlives the lock: freeing a value may run any code
    const std::lock_guard lock(writers_);
    Pointer value = std::forward<Make>(make)(std::as_const(node_.load()->value));
    old = replace(value);
    return value;
  }

 private:
  struct Node {
    Pointer value;
  };
  struct alignas(64) Shard {
    std::atomic<size_t> readers{0};
  };

  // With `writers_` held.
  Pointer replace(Pointer value) {
    auto next = std::make_unique<Node>(Node{std::move(value)});
    const std::unique_ptr<Node> old(node_.exchange(next.release()));
    for (const Shard& shard : shards_) {
      while (shard.readers.load() != 0) std::this_thread::yield();
    }
    return std::move(old->value);
  }

  std::atomic<Node*> node_;
  mutable std::array<Shard, snapshot_detail::kShards> shards_;
  std::mutex writers_;
};

}  // namespace vsr::base
