#include "numbers.h"

#include <limits>
#include <string>

namespace vsr_python {

namespace {

[[noreturn]] void wrong_type(py::handle value, const char* name, const char* expected) {
  throw py::type_error(std::string(name) + " is " + Py_TYPE(value.ptr())->tp_name + ", expected " + expected);
}

}  // namespace

int64_t whole_number(py::handle value, const char* name) {
  // Also what has __index__, as NumPy's integers do.
  if (PyIndex_Check(value.ptr()) == 0) wrong_type(value, name, "an int");
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow != 0) {
    PyErr_SetString(PyExc_OverflowError, (std::string(name) + " has more than 64 bits").c_str());
    throw py::error_already_set();
  }
  if (number == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return number;
}

uint64_t unsigned_number(py::handle value, const char* name) {
  if (PyIndex_Check(value.ptr()) == 0) wrong_type(value, name, "an int");
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  if (!index) throw py::error_already_set();
  const unsigned long long number = PyLong_AsUnsignedLongLong(index.ptr());
  if (PyErr_Occurred() == nullptr) return number;
  PyErr_SetString(PyExc_OverflowError, (std::string(name) + " is below 0 or has more than 64 bits").c_str());
  throw py::error_already_set();
}

bool flag(py::handle value, const char* name) {
  // Whole numbers too, and NumPy's bools; what is merely true or false, such as 1.5, is a mistake.
  py::detail::make_caster<bool> caster;
  if (!caster.load(value, PyIndex_Check(value.ptr()) != 0)) wrong_type(value, name, "a bool");
  return py::detail::cast_op<bool>(caster);
}

double real_number(py::handle value, const char* name) {
  const double number = PyFloat_AsDouble(value.ptr());
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
  PyErr_Clear();
  wrong_type(value, name, "a number");
}

int32_t small_number(py::handle value, const char* name) {
  if (value.is_none()) return 0;
  if (PyIndex_Check(value.ptr()) == 0) wrong_type(value, name, "an int");
  const long long number = PyLong_AsLongLong(value.ptr());
  const bool overflow = PyErr_Occurred() != nullptr;
  PyErr_Clear();
  if (overflow || number < 1 || number > std::numeric_limits<int32_t>::max()) {
    throw StatusError(VSR_ERR_INVALID_ARGUMENT,
                      std::string(name) + " is " + py::str(value).cast<std::string>() + ", expected 1 or more");
  }
  return static_cast<int32_t>(number);
}

float threshold_of(py::handle value) {
  if (value.is_none()) return 0;
  const auto threshold = static_cast<float>(real_number(value, "threshold"));
  // In C, 0 is the default; here it is a number that every score reaches.
  return threshold == 0 ? std::numeric_limits<float>::min() : threshold;
}

int32_t int32_number(py::handle value, const char* name) {
  const int64_t number = whole_number(value, name);
  if (number != static_cast<int32_t>(number)) throw py::value_error(std::string(name) + " has more than 32 bits");
  return static_cast<int32_t>(number);
}

float not_zero(py::handle value, const char* name, const char* expected) {
  const auto number = static_cast<float>(real_number(value, name));
  if (number == 0) throw StatusError(VSR_ERR_INVALID_ARGUMENT, std::string(name) + " is 0, expected " + expected);
  return number;
}

OptionalFloat::OptionalFloat(py::handle value, const char* name) {
  if (!value.is_none()) number_ = static_cast<float>(real_number(value, name));
}

Mask::Mask(py::handle value) {
  if (!value.is_none()) buffer_ = value.cast<py::buffer>().request();
}

void Mask::expect(size_t cells) const {
  if (data() == nullptr) return;
  if (buffer_.itemsize != 1 || static_cast<size_t>(buffer_.size) != cells) {
    throw StatusError(VSR_ERR_INTERNAL, "python: the array for wanted has another type or size");
  }
}

}  // namespace vsr_python
