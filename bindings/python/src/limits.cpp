#include "limits.h"

#include "call.h"

namespace vsr_python {

Cancel::Cancel() {
  vsr_cancel* handle = nullptr;
  call([&](vsr_error* error) { return vsr_cancel_create(&handle, error); });
  handle_ = owned(handle, &vsr_cancel_free);
}

void register_cancel(py::module_& m) {
  py::class_<Cancel>(m, "Cancel",
                     "Ends calls from another thread: those that were given it as `cancel` fail with CancelledError "
                     "once it is triggered.")
      .def(py::init<>())
      .def("trigger", &Cancel::trigger, "Ends the calls, and those that start later; does not wait for them.");
}

}  // namespace vsr_python
