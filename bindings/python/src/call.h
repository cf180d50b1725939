// How a call crosses into the C ABI: without the GIL, with errors as exceptions.
#pragma once

#include <pybind11/pybind11.h>
#include <vsr/vsr.h>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "gil.h"

namespace vsr_python {

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
    const WithoutGil release;
    status = body(&error);
  }
  check(status, error);
}

// Text of the library as a str; what is not UTF-8, as caller's texts and vocabularies may hold, becomes U+FFFD.
inline py::str decoded(const char* data, size_t size) {
  PyObject* text = PyUnicode_DecodeUTF8(data, static_cast<Py_ssize_t>(size), "replace");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

inline py::str decoded(std::string_view text) { return decoded(text.data(), text.size()); }

// Empty where there is no text.
inline py::str decoded(vsr_str text) { return text.data == nullptr ? py::str() : decoded(text.data, text.size); }

inline py::object str_or_none(vsr_str text) {
  return text.data == nullptr ? py::object(py::none()) : py::object(decoded(text));
}

// What an object of the extension holds; of None nothing.
template <class Holder>
auto held(py::handle value) -> decltype(value.cast<const Holder&>().hold()) {
  if (value.is_none()) return nullptr;
  return value.cast<const Holder&>().hold();
}

void register_errors(py::module_& m);

}  // namespace vsr_python
