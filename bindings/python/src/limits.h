// When a call ends: the deadline and the switch that Python's options name.
#pragma once

#include <cstdint>
#include <memory>

#include "text.h"
#include "vsr/cancel.h"

namespace vsr_python {

class Cancel {
 public:
  Cancel();
  void trigger() const { vsr_cancel_trigger(handle_.get()); }
  const vsr_cancel* get() const { return handle_.get(); }

 private:
  std::shared_ptr<vsr_cancel> handle_;
};

// `given` has "deadline_ms", a number or None, and "cancel", a Cancel or None, which the dict keeps alive.
template <class Options>
void read_limits(const py::dict& given, Options& options) {
  if (!given["deadline_ms"].is_none()) {
    // None is no deadline; 0, as what is left of some time, has passed.
    const auto left = given["deadline_ms"].cast<int64_t>();
    options.deadline_ms = left == 0 ? -1 : left;
  }
  if (!given["cancel"].is_none()) options.cancel = given["cancel"].cast<const Cancel&>().get();
}

void register_cancel(py::module_& m);

}  // namespace vsr_python
