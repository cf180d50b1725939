// When a call ends: the deadline and the switch that Python's options name.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "numbers.h"
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
    const int64_t left = whole_number(given["deadline_ms"], "deadline_ms");
    options.deadline_ms = left == 0 ? -1 : left;
  }
  const py::object cancel = given["cancel"];
  if (cancel.is_none()) return;
  if (!py::isinstance<Cancel>(cancel)) {
    throw py::type_error(std::string("cancel is ") + Py_TYPE(cancel.ptr())->tp_name + ", expected a vsr.Cancel");
  }
  options.cancel = cancel.cast<const Cancel&>().get();
}

void register_cancel(py::module_& m);

}  // namespace vsr_python
