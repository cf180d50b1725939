// StatusError becomes the Python class of its code; vsr._errors holds the classes.
#include "call.h"

namespace vsr_python {
namespace {

// Counts up from VSR_OK: numbers are never reused, so the first unknown one ends the list.
py::dict statuses() {
  py::dict result;
  for (vsr_status code = VSR_OK;; ++code) {
    const std::string name = vsr_status_name(code).data;
    if (name == "VSR_ERR_UNKNOWN") return result;
    result[py::str(name)] = code;
  }
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const StatusError& e) {
    try {
      const py::object made = py::module_::import("vsr._errors").attr("from_status")(e.code(), e.what());
      PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
    } catch (py::error_already_set& failure) {
      failure.restore();
    }
  }
}

}  // namespace

void register_errors(py::module_& m) {
  m.attr("STATUSES") = statuses();
  py::register_exception_translator(&translate);
}

}  // namespace vsr_python
