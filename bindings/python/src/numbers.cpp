#include "numbers.h"

#include <limits>
#include <string>

namespace vsr_python {

int32_t small_number(py::handle value, const char* name) {
  if (value.is_none()) return 0;
  const long long number = PyLong_AsLongLong(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr && PyErr_ExceptionMatches(PyExc_TypeError))
    throw py::error_already_set();
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
  const auto threshold = value.cast<float>();
  // In C, 0 is the default; here it is a number that every score reaches.
  return threshold == 0 ? std::numeric_limits<float>::min() : threshold;
}

}  // namespace vsr_python
