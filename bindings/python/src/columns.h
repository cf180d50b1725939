// Columns of strings in Arrow's layout, read where they lie.
#pragma once

#include <cstdint>
#include <vector>

#include "call.h"

namespace vsr_python {

// The strings of one Arrow array (utf8, large_utf8, binary, large_binary) without those that are null. Keeps the
// array's buffers, and copies none of them. Row i is data[offsets[first + i] .. offsets[first + i + 1]); offsets that
// run backwards or beyond the data are InvalidArgumentError, so that no reader checks them again.
class TextColumn {
 public:
  // `offsets` and `data` are objects with the buffer protocol; `valid` is None or a bitmap, bit first + i for row i.
  // `wide`: offsets are of 64 bits, not 32.
  TextColumn(const py::buffer& offsets, const py::buffer& data, const py::object& valid, size_t first, size_t count,
             bool wide);

  size_t size() const { return views_.size(); }
  const std::vector<vsr_str>& views() const { return views_; }

 private:
  template <class Offset>
  void read(const uint8_t* valid, size_t first, size_t count);

  py::buffer_info offsets_;
  py::buffer_info data_;
  py::buffer_info valid_;
  std::vector<vsr_str> views_;
};

}  // namespace vsr_python
