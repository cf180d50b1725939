// Python numbers as the options of the C ABI hold them.
#pragma once

#include <optional>

#include "call.h"

namespace vsr_python {

// What an argument must be. Throws TypeError that names it, and OverflowError for a number of more than 64 bits.
int64_t whole_number(py::handle value, const char* name);
uint64_t unsigned_number(py::handle value, const char* name);
bool flag(py::handle value, const char* name);
double real_number(py::handle value, const char* name);

// A whole number that C takes as int32_t; None is 0, its default.
int32_t small_number(py::handle value, const char* name);
// The least score of an entity; None is 0, C's default.
float threshold_of(py::handle value);
// A whole number of 32 bits, 0 and those below included.
int32_t int32_number(py::handle value, const char* name);
// A number that is not 0, which C takes as its default; `expected` says which are allowed.
float not_zero(py::handle value, const char* name, const char* expected);

// A number or None, as C points to it.
class OptionalFloat {
 public:
  OptionalFloat(py::handle value, const char* name);
  const float* get() const { return number_ ? &*number_ : nullptr; }

 private:
  std::optional<float> number_;
};

// None, or a buffer of bools that the package has given its shape.
class Mask {
 public:
  explicit Mask(py::handle value);
  const uint8_t* data() const { return static_cast<const uint8_t*>(buffer_.ptr); }
  void expect(size_t cells) const;

 private:
  py::buffer_info buffer_;
};

}  // namespace vsr_python
