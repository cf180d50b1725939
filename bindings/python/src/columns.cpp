#include "columns.h"

#include <cstring>
#include <string>

#include "engine.h"
#include "limits.h"
#include "text.h"
#include "tokenizer.h"

namespace vsr_python {
namespace {

// Arrow's buffers are bytes to Python; what has items of another size, or gaps, is none.
py::buffer_info bytes_of(const py::buffer& buffer, const char* name) {
  py::buffer_info info = buffer.request();
  if (info.ndim != 1 || info.itemsize != 1 || (info.size > 1 && info.strides[0] != 1)) {
    throw StatusError(VSR_ERR_INVALID_ARGUMENT, std::string(name) + " is no flat buffer of bytes");
  }
  return info;
}

size_t size_of(const py::buffer_info& info) { return static_cast<size_t>(info.size); }

[[noreturn]] void refuse(const std::string& what) { throw StatusError(VSR_ERR_INVALID_ARGUMENT, "column: " + what); }

bool is_set(const uint8_t* bits, size_t i) { return (bits[i / 8] >> (i % 8) & 1) != 0; }

// (text, tokens before, tokens after, estimated) of each text that is not null.
py::list compress_column(const TextColumn& column, size_t max_tokens, py::object language, py::object tokenizer,
                         const py::dict& limits) {
  const CString held_language(language, "language");
  const auto held_tokenizer = tokenizer.is_none() ? nullptr : tokenizer.cast<const Tokenizer&>().hold();
  vsr_compress_options options = VSR_COMPRESS_OPTIONS_INIT;
  options.language = held_language.get();
  options.tokenizer = held_tokenizer.get();
  read_limits(limits, options);
  py::list rows;
  for (const vsr_str text : column.views()) {
    vsr_compressed* made = nullptr;
    call([&](vsr_error* error) { return vsr_compress(text, max_tokens, &options, &made, error); });
    const auto owner = owned(made, &vsr_compressed_free);
    rows.append(py::make_tuple(decoded(vsr_compressed_text(made)), vsr_compressed_given_token_count(made),
                               vsr_compressed_kept_token_count(made), vsr_compressed_estimated(made) != 0));
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return rows;
}

}  // namespace

TextColumn::TextColumn(const py::buffer& offsets, const py::buffer& data, const py::object& valid, size_t first,
                       size_t count, bool wide)
    : offsets_(bytes_of(offsets, "offsets")), data_(bytes_of(data, "data")) {
  const size_t width = wide ? sizeof(int64_t) : sizeof(int32_t);
  const size_t held = size_of(offsets_) / width;
  // An empty array may come without offsets.
  if (count > 0 && (first >= held || count > held - first - 1)) refuse("it has fewer offsets than rows");
  const uint8_t* bits = nullptr;
  if (!valid.is_none()) {
    valid_ = bytes_of(valid.cast<py::buffer>(), "valid");
    if (count > 0 && (first + count - 1) / 8 >= size_of(valid_)) refuse("its bitmap is shorter than its rows");
    bits = static_cast<const uint8_t*>(valid_.ptr);
  }
  views_.reserve(count);
  if (wide) {
    read<int64_t>(bits, first, count);
  } else {
    read<int32_t>(bits, first, count);
  }
}

template <class Offset>
void TextColumn::read(const uint8_t* valid, size_t first, size_t count) {
  const auto* at = static_cast<const char*>(offsets_.ptr) + first * sizeof(Offset);
  const auto* data = static_cast<const char*>(data_.ptr);
  const auto limit = static_cast<uint64_t>(data_.size);
  for (size_t i = 0; i < count; ++i, at += sizeof(Offset)) {
    if (valid != nullptr && !is_set(valid, first + i)) continue;
    Offset ends[2];  // a slice of memory need not be aligned
    std::memcpy(ends, at, sizeof(ends));
    if (ends[0] < 0 || ends[1] < ends[0] || static_cast<uint64_t>(ends[1]) > limit) {
      refuse("row " + std::to_string(i) + " lies outside its data");
    }
    // A text without bytes still has an address: NULL means no text.
    views_.push_back({ends[0] == ends[1] ? "" : data + ends[0], static_cast<size_t>(ends[1] - ends[0])});
  }
}

void register_columns(py::module_& m) {
  py::class_<TextColumn>(m, "TextColumn")
      .def(py::init<const py::buffer&, const py::buffer&, const py::object&, size_t, size_t, bool>(),
           py::arg("offsets"), py::arg("data"), py::arg("valid"), py::arg("first"), py::arg("count"), py::arg("wide"))
      .def("__len__", &TextColumn::size);
  m.def("compress_column", &compress_column, py::arg("column"), py::arg("max_tokens"), py::arg("language"),
        py::arg("tokenizer"), py::arg("limits"));
}

}  // namespace vsr_python
