// Memory that the layers of a pass use in turns.
#pragma once

#include <ATen/core/Tensor.h>

#include <memory>

namespace vsr::core {

class BufferPool;

// While it lives, large tensors that this thread makes with empty_buffer() take over the memory of those that are gone,
// so that a pass asks the system for memory once, not for each layer. Scopes nest. What is still in use at the end
// lives on; everything else is given back.
class BufferScope {
 public:
  BufferScope();
  ~BufferScope();
  BufferScope(const BufferScope&) = delete;
  BufferScope& operator=(const BufferScope&) = delete;

 private:
  std::shared_ptr<BufferPool> outer_;
};

// Like at::empty on the CPU.
at::Tensor empty_buffer(at::IntArrayRef sizes, at::ScalarType type);

}  // namespace vsr::core
