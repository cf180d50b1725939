#include "embed_options.h"

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

EmbedOptions::EmbedOptions(const py::dict& given)
    : task_(given["task"], "task"),
      prompt_(given["prompt"], "prompt"),
      instruction_(given["instruction"], "instruction"),
      progress(given["progress"]) {
  options_.dim = small_number(given["dim"], "dim");
  options_.layer = small_number(given["layer"], "layer");
  options_.no_normalize = given["normalize"].cast<bool>() ? 0 : 1;
  options_.task = task_.get();
  options_.prompt = prompt_.get();
  options_.instruction = instruction_.get();
  options_.max_tokens = static_cast<size_t>(small_number(given["max_tokens"], "max_tokens"));
  options_.progress = progress.callback();
  options_.user_data = &progress;
}

}  // namespace vsr_python
