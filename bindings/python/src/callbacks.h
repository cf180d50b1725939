// Python functions as the C ABI's callbacks. What one raises ends the call and goes on as itself; Ctrl-C ends a long
// call.
#pragma once

#include <memory>
#include <optional>

#include "call.h"

namespace vsr_python {

// A callback that can end its call.
class RaisingCallback {
 public:
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
  void* user_data() { return this; }

 protected:
  // Runs `body`, which says whether the call is to end, with the GIL.
  template <class Body>
  int32_t run(Body&& body) noexcept {
    const WithGil acquire;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      return body() ? 1 : 0;
    } catch (py::error_already_set& raised) {
      raised_.emplace(std::move(raised));
      return 1;
    }
  }

 private:
  std::optional<py::error_already_set> raised_;
};

class Progress : public RaisingCallback {
 public:
  // `report` is None or takes (done, total).
  explicit Progress(py::object report);
  vsr_progress_callback callback() const { return wanted_ ? &Progress::tell : nullptr; }

 private:
  static int32_t tell(size_t done, size_t total, void* self) noexcept;

  py::object report_;
  bool wanted_ = false;
};

class TokenCall : public RaisingCallback {
 public:
  // `callback` is None or takes (id, text); True ends the call.
  explicit TokenCall(py::object callback);
  vsr_token_callback callback() const { return &TokenCall::pass_on; }

 private:
  static int32_t pass_on(int32_t id, vsr_str text, void* self) noexcept;

  py::object callback_;
};

// Takes (level, line). Lines come on threads that call the library, with the GIL released.
class LogFunction {
 public:
  explicit LogFunction(py::object function) : function_(std::move(function)) {}
  PyObject* function() const { return function_.ptr(); }
  static void write(int32_t level, vsr_str message, void* self) noexcept;

 private:
  py::object function_;
};

// Of an object that logs for longer than the call that makes it: whoever keeps that keeps the function.
class Log {
 public:
  // `function` may be None.
  explicit Log(py::object function)
      : function_(function.is_none() ? nullptr : std::make_shared<LogFunction>(std::move(function))) {}
  vsr_log_callback callback() const { return function_ ? &LogFunction::write : nullptr; }
  void* user_data() const { return function_.get(); }
  const std::shared_ptr<LogFunction>& function() const { return function_; }

 private:
  std::shared_ptr<LogFunction> function_;
};

}  // namespace vsr_python
