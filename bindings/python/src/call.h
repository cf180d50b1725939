// How a call crosses into the C ABI: without the GIL, with errors as exceptions.
#pragma once

#include <pybind11/pybind11.h>
#include <vsr/vsr.h>

#include <exception>
#include <string>
#include <utility>

namespace vsr_python {

namespace py = pybind11;

// A status other than VSR_OK; becomes the class of vsr.Error that belongs to its code.
class StatusError : public std::exception {
 public:
  StatusError(vsr_status code, std::string message) : code_(code), message_(std::move(message)) {}
  vsr_status code() const { return code_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  vsr_status code_;
  std::string message_;
};

inline void check(vsr_status status, const vsr_error& error) {
  if (status != VSR_OK) throw StatusError(status, error.message);
}

// `body` takes a vsr_error* and returns a vsr_status. It runs without the GIL and must not touch Python objects.
template <class Body>
void call(Body&& body) {
  vsr_error error = VSR_ERROR_INIT;
  vsr_status status = VSR_OK;
  {
    const py::gil_scoped_release release;
    status = body(&error);
  }
  check(status, error);
}

void register_errors(py::module_& m);

}  // namespace vsr_python
