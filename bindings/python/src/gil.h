// Giving up the GIL and taking it. While the interpreter ends, Python ends threads that want the GIL by unwinding them
// (before 3.14), which C++ answers with abort() wherever a frame must not throw: such threads wait here for the end.
#pragma once

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>

namespace vsr_python {

namespace py = pybind11;

// Runs what takes the GIL. A thread that gets no GIL any more stays inside the handler: leaving it would abort. `body`
// is to hold no Python object of its own, which would be let go of without the GIL.
template <class Body>
void or_wait_for_the_end(Body&& body) {
  try {
    body();
  } catch (...) {
    for (;;) ::pause();
  }
}

namespace detail {
// The thread's own Python state while it has given up the GIL; null: it has not.
inline thread_local PyThreadState* given_up = nullptr;
}  // namespace detail

class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) { detail::given_up = state_; }
  ~WithoutGil() {
    detail::given_up = nullptr;
    or_wait_for_the_end([this] { PyEval_RestoreThread(state_); });
  }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

// On a thread that has given up the GIL: its own state is restored, which Python refuses at any time of the
// interpreter's end and after it. To make a new one, as PyGILState_Ensure() would, crashes once the interpreter is
// gone.
class WithGil {
 public:
  WithGil() : state_(std::exchange(detail::given_up, nullptr)) {
    or_wait_for_the_end([this] {
      if (state_ != nullptr) {
        PyEval_RestoreThread(state_);
      } else {
        acquired_.emplace();
      }
    });
  }
  ~WithGil() {
    if (state_ != nullptr) detail::given_up = PyEval_SaveThread();
  }
  WithGil(const WithGil&) = delete;
  WithGil& operator=(const WithGil&) = delete;

 private:
  PyThreadState* state_;
  std::optional<py::gil_scoped_acquire> acquired_;
};

// Calls a Python function in a callback of the library; it may let go of the GIL in between.
template <class... Arguments>
py::object call_python(const py::object& function, Arguments&&... given) {
  const py::tuple arguments = py::make_tuple(std::forward<Arguments>(given)...);
  PyObject* result = nullptr;
  or_wait_for_the_end([&] { result = PyObject_CallObject(function.ptr(), arguments.ptr()); });
  if (result == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

// Owns a handle of the C ABI. Freeing one may wait for threads of the library, so it happens without the GIL.
template <class Handle>
std::shared_ptr<Handle> owned(Handle* handle, void (*free)(Handle*)) {
  return std::shared_ptr<Handle>(handle, [free](Handle* last) {
    std::optional<WithoutGil> without;
    if (Py_IsInitialized() != 0 && PyGILState_Check() != 0) without.emplace();
    free(last);
  });
}

}  // namespace vsr_python
