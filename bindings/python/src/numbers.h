// Python numbers as the options of the C ABI hold them.
#pragma once

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

}  // namespace vsr_python
