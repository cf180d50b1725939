// A vector that grows without moving its elements, so that growing takes no room for two.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace vsr::routing {

template <class Value>
class ChunkedVector {
 public:
  static constexpr size_t kChunk = 4096;

  void push_back(const Value& value) {
    if (size_ % kChunk == 0) chunks_.push_back(std::make_unique_for_overwrite<Value[]>(kChunk));
    chunks_.back()[size_++ % kChunk] = value;
  }
  size_t size() const { return size_; }
  Value& operator[](size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  const Value& operator[](size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  // How many elements from `i` on lie side by side.
  size_t left_in_chunk(size_t i) const { return kChunk - i % kChunk; }

 private:
  std::vector<std::unique_ptr<Value[]>> chunks_;
  size_t size_ = 0;
};

}  // namespace vsr::routing
