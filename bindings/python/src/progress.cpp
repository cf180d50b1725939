#include "progress.h"

namespace vsr_python {
namespace {

// Signals reach only the main thread; elsewhere a callback that only looks for them would take the GIL for nothing.
bool on_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

Progress::Progress(py::object report) : report_(std::move(report)) {
  if (!report_.is_none() && !PyCallable_Check(report_.ptr())) {
    throw py::type_error("progress must be a bool or take (done, total)");
  }
  wanted_ = !report_.is_none() || on_main_thread();
}

void Progress::tell(size_t done, size_t total) {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  if (!report_.is_none()) call_python(report_, done, total);
}

int32_t Progress::trampoline(size_t done, size_t total, void* self) noexcept {
  auto* progress = static_cast<Progress*>(self);
  const WithGil acquire;
  try {
    progress->tell(done, total);
    return 0;
  } catch (py::error_already_set& raised) {
    progress->raised_.emplace(std::move(raised));
    return 1;
  }
}

}  // namespace vsr_python
