// The C ABI's progress callback: shows progress, and lets Ctrl-C end a long call.
#pragma once

#include <optional>

#include "call.h"

namespace vsr_python {

class Progress {
 public:
  // `report` is None or takes (done, total).
  explicit Progress(py::object report);

  vsr_progress_callback callback() { return wanted_ ? &Progress::trampoline : nullptr; }
  // call(), but what the callback raised goes on as itself instead of VSR_ERR_CANCELLED.
  template <class Body>
  void call(Body&& body) {
    try {
      vsr_python::call(std::forward<Body>(body));
    } catch (const StatusError&) {
      if (raised_) throw std::move(*raised_);
      throw;
    }
  }

 private:
  static int32_t trampoline(size_t done, size_t total, void* self) noexcept;
  void tell(size_t done, size_t total);

  py::object report_;
  bool wanted_ = false;
  std::optional<py::error_already_set> raised_;
};

}  // namespace vsr_python
