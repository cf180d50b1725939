#include "core/memory/buffers.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <map>
#include <mutex>
#include <utility>

#include "core/memory/huge_pages.h"

namespace vsr::core {

// Blocks of memory by their size. Tensors may end on any thread, and after the pool's scope.
class BufferPool {
 public:
  // Of that many bytes or somewhat more.
  HugePages take(size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = free_.lower_bound(bytes);
      if (found != free_.end() && found->first - bytes <= bytes / 4) {
        HugePages block = std::move(found->second);
        free_.erase(found);
        return block;
      }
    }
    return HugePages(bytes);
  }

  void give_back(HugePages block) noexcept {
    const std::lock_guard lock(mutex_);
    if (open_) free_.emplace(block.bytes(), std::move(block));
  }

  void close() {
    const std::lock_guard lock(mutex_);
    open_ = false;
    free_.clear();
  }

 private:
  std::mutex mutex_;
  bool open_ = true;
  std::multimap<size_t, HugePages> free_;
};

namespace {

thread_local std::shared_ptr<BufferPool> pool_of_this_thread;

}  // namespace

BufferScope::BufferScope() : outer_(std::exchange(pool_of_this_thread, std::make_shared<BufferPool>())) {}

BufferScope::~BufferScope() {
  pool_of_this_thread->close();
  pool_of_this_thread = std::move(outer_);
}

at::Tensor empty_buffer(at::IntArrayRef sizes, at::ScalarType type) {
  constexpr size_t kLeast = size_t{4} << 20;  // the system's allocator keeps smaller ones by itself
  const auto options = at::TensorOptions().dtype(type);
  const size_t bytes = bytes_of(sizes, type);
  if (bytes < kLeast || pool_of_this_thread == nullptr) return at::empty(sizes, options);
  auto block = std::make_shared<HugePages>(pool_of_this_thread->take(round_up(bytes, kHugePage)));
  void* const data = block->data();
  const auto end = [block = std::move(block), pool = pool_of_this_thread](void*) {
    pool->give_back(std::move(*block));
  };
  return at::from_blob(data, sizes, end, options);
}

}  // namespace vsr::core
