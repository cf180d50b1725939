// The keys and values of tokens that a decoder has read, kept so that the tokens after them need not read them again.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace vsr::core {

// Of one layer. Room grows geometrically, so that a token costs the same however many came before.
class LayerCache {
 public:
  int64_t size() const { return size_; }
  // Adds rows [new, kv_heads * head_dim]; keys are turned already.
  void append(const at::Tensor& key, const at::Tensor& value);
  // Forgets all rows but the first `size`.
  void truncate(int64_t size) { size_ = size; }
  // Views of all rows [size, kv_heads * head_dim], valid until the next append().
  at::Tensor key() const { return key_.narrow(0, 0, size_); }
  at::Tensor value() const { return value_.narrow(0, 0, size_); }

 private:
  at::Tensor key_;  // [capacity, kv_heads * head_dim]
  at::Tensor value_;
  int64_t size_ = 0;
};

// Of all layers, for one sequence.
class KvCache {
 public:
  explicit KvCache(int64_t layers) : layers_(static_cast<size_t>(layers)) {}
  LayerCache& layer(int64_t index) { return layers_[static_cast<size_t>(index)]; }
  // Tokens read so far: the position of the next one.
  int64_t size() const { return layers_.front().size(); }
  // Goes back to where the first `size` tokens had been read.
  void truncate(int64_t size) {
    for (LayerCache& layer : layers_) layer.truncate(size);
  }

 private:
  std::vector<LayerCache> layers_;
};

}  // namespace vsr::core
