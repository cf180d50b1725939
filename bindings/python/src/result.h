// Results as Python reads them.
#pragma once

#include <memory>

#include "engine.h"

namespace vsr_python {

// A result's matrix is seen through the buffer protocol: numpy arrays over it hold this object, nothing is copied.
class Result {
 public:
  explicit Result(vsr_result* result) : handle_(result, &vsr_result_free) {}
  const vsr_result* get() const { return handle_.get(); }

 private:
  std::unique_ptr<vsr_result, void (*)(vsr_result*)> handle_;
};

}  // namespace vsr_python
