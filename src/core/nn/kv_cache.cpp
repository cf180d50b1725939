#include "core/nn/kv_cache.h"

#include <ATen/ops/empty.h>

#include <algorithm>

namespace vsr::core {
namespace {

constexpr int64_t kLeastRoom = 128;

void grow(at::Tensor& rows, int64_t used, int64_t room, const at::Tensor& like) {
  at::Tensor larger = at::empty({room, like.size(1)}, like.options());
  if (used > 0) larger.narrow(0, 0, used).copy_(rows.narrow(0, 0, used));
  rows = std::move(larger);
}

}  // namespace

void LayerCache::append(const at::Tensor& key, const at::Tensor& value) {
  const int64_t needed = size_ + key.size(0);
  const int64_t capacity = key_.defined() ? key_.size(0) : 0;
  if (needed > capacity) {
    const int64_t room = std::max({needed, 2 * capacity, kLeastRoom});
    grow(key_, size_, room, key);
    grow(value_, size_, room, value);
  }
  key_.narrow(0, size_, key.size(0)).copy_(key);
  value_.narrow(0, size_, value.size(0)).copy_(value);
  size_ = needed;
}

}  // namespace vsr::core
