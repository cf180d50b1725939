// Results as Python reads them.
#pragma once

#include <memory>
#include <utility>

#include "engine.h"
#include "text.h"

namespace vsr_python {

// A result's matrix is seen through the buffer protocol: numpy arrays over it hold this object, nothing is copied.
class Result {
 public:
  explicit Result(vsr_result* result) : handle_(owned(result, &vsr_result_free)) {}
  // One that belongs to the result of a call of many tasks.
  explicit Result(std::shared_ptr<const vsr_result> result) : handle_(std::move(result)) {}
  const vsr_result* get() const { return handle_.get(); }

 private:
  std::shared_ptr<const vsr_result> handle_;
};

// For each text ([(label, start, end, score)], windows, replaced), in the indices of its Python object.
py::list entities_of(const vsr_result* result, const TextBatch& batch);

}  // namespace vsr_python
