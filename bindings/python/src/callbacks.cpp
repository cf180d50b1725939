#include "callbacks.h"

namespace vsr_python {
namespace {

// Signals reach only the main thread; elsewhere a callback that only looks for them would take the GIL for nothing.
bool on_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

void require_callable(const py::object& callback, const char* expected) {
  if (!callback.is_none() && !PyCallable_Check(callback.ptr())) throw py::type_error(expected);
}

}  // namespace

Progress::Progress(py::object report) : report_(std::move(report)) {
  require_callable(report_, "progress must be a bool or take (done, total)");
  wanted_ = !report_.is_none() || on_main_thread();
}

int32_t Progress::tell(size_t done, size_t total, void* self) noexcept {
  auto* progress = static_cast<Progress*>(static_cast<RaisingCallback*>(self));
  return progress->run([&] {
    if (!progress->report_.is_none()) call_python(progress->report_, done, total);
    return false;
  });
}

TokenCall::TokenCall(py::object callback) : callback_(std::move(callback)) {
  require_callable(callback_, "on_token must take (id, text)");
}

int32_t TokenCall::pass_on(int32_t id, vsr_str text, void* self) noexcept {
  auto* tokens = static_cast<TokenCall*>(static_cast<RaisingCallback*>(self));
  return tokens->run([&] {
    return !tokens->callback_.is_none() && call_python(tokens->callback_, id, decoded(text)).is(py::bool_(true));
  });
}

void LogFunction::write(int32_t level, vsr_str message, void* self) noexcept {
  const WithGil acquire;
  try {
    call_python(static_cast<LogFunction*>(self)->function_, level, decoded(message));
  } catch (py::error_already_set& error) {
    error.discard_as_unraisable("vsr: log");
  }
}

}  // namespace vsr_python
