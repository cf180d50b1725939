#include "text.h"

#include <algorithm>

#include "columns.h"

namespace vsr_python {
namespace {

constexpr size_t kBlock = 256;

std::string type_name(py::handle object) { return Py_TYPE(object.ptr())->tp_name; }

bool is_text(py::handle object) { return PyUnicode_Check(object.ptr()) || PyBytes_Check(object.ptr()); }

bool is_pair(py::handle object) {
  return (PyTuple_Check(object.ptr()) || PyList_Check(object.ptr())) && py::len(object) == 2;
}

std::string indexed(const char* name, size_t i) { return std::string(name) + "[" + std::to_string(i) + "]"; }

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

void refuse_nul(const std::string& value, const char* name) {
  const size_t nul = value.find('\0');
  if (nul == std::string::npos) return;
  throw StatusError(VSR_ERR_INVALID_ARGUMENT, std::string(name) + " has a NUL at byte " + std::to_string(nul));
}

}  // namespace

Text::Text(py::handle object, const std::string& what) {
  if (!is_text(object)) throw py::type_error(what + " is " + type_name(object) + ", expected str or bytes");
  keep_ = py::reinterpret_borrow<py::object>(object);
  if (PyUnicode_Check(object.ptr())) {
    counts_code_points_ = !PyUnicode_IS_ASCII(object.ptr());
    Py_ssize_t size = 0;
    if (const char* utf8 = PyUnicode_AsUTF8AndSize(object.ptr(), &size)) {
      view_ = {utf8, static_cast<size_t>(size)};
      return;
    }
    PyErr_Clear();
    keep_ = py::reinterpret_steal<py::object>(PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogatepass"));
    if (!keep_) throw py::error_already_set();
  }
  view_ = {PyBytes_AS_STRING(keep_.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(keep_.ptr()))};
}

OffsetMap::OffsetMap(const Text& text) : text_(text.view()), identity_(!text.counts_code_points()) {
  if (identity_) return;
  block_counts_.reserve(text_.size / kBlock + 1);
  size_t count = 0;
  for (size_t i = 0; i < text_.size; ++i) {
    if (i % kBlock == 0) block_counts_.push_back(count);
    count += begins_character(text_.data[i]) ? 1 : 0;
  }
  if (text_.size % kBlock == 0) block_counts_.push_back(count);
}

size_t OffsetMap::characters_before(size_t byte) const {
  const size_t block = byte / kBlock;
  const char* const begin = text_.data + block * kBlock;
  return block_counts_[block] + static_cast<size_t>(std::count_if(begin, text_.data + byte, begins_character));
}

size_t OffsetMap::start(size_t byte) const {
  if (identity_) return byte;
  const size_t before = characters_before(byte);
  return byte < text_.size && !begins_character(text_.data[byte]) ? before - 1 : before;
}

size_t OffsetMap::end(size_t byte) const { return identity_ ? byte : characters_before(byte); }

TextBatch::TextBatch(py::handle texts, const char* name) {
  if (is_text(texts)) {
    add(texts, name);
    return;
  }
  if (add_column(texts)) return;
  if (!py::isinstance<py::iterable>(texts)) {
    throw py::type_error(std::string(name) + " is " + type_name(texts) + ", expected texts (str or bytes)");
  }
  size_t i = 0;
  for (const py::handle text : py::iter(texts)) add(text, indexed(name, i++));
}

void TextBatch::add(py::handle text, const std::string& what) {
  texts_.emplace_back(text, what);
  views_.push_back(texts_.back().view());
}

bool TextBatch::add_column(py::handle texts) {
  if (!py::isinstance<TextColumn>(texts)) return false;
  views_ = texts.cast<const TextColumn&>().views();
  texts_.reserve(views_.size());
  for (const vsr_str view : views_) texts_.emplace_back(texts, view);
  return true;
}

PairBatch::PairBatch(py::handle texts) {
  if (is_text(texts)) {
    first_.add(texts, "texts");
    return;
  }
  if (first_.add_column(texts)) return;
  if (!py::isinstance<py::iterable>(texts)) {
    throw py::type_error("texts is " + type_name(texts) + ", expected texts (str or bytes) or pairs of them");
  }
  size_t i = 0;
  for (const py::handle element : py::iter(texts)) {
    const std::string what = indexed("texts", i++);
    const bool pair = is_pair(element);
    if (!pair && !is_text(element)) {
      throw py::type_error(what + " is " + type_name(element) + ", expected str, bytes or a pair of them");
    }
    if (i == 1) has_pairs_ = pair;
    if (pair != has_pairs_) {
      throw py::type_error(what + (pair ? " is a pair, texts[0] is not" : " is no pair, texts[0] is one"));
    }
    if (!pair) {
      first_.add(element, what);
      continue;
    }
    const py::sequence sides = py::reinterpret_borrow<py::sequence>(element);
    first_.add(py::object(sides[0]), what + "[0]");
    second_.add(py::object(sides[1]), what + "[1]");
  }
}

CString::CString(py::handle value, const char* name) {
  if (value.is_none()) return;
  if (!PyUnicode_Check(value.ptr()))
    throw py::type_error(std::string(name) + " is " + type_name(value) + ", expected str");
  const Text text(value, name);
  value_.assign(text.view().data, text.view().size);
  refuse_nul(value_, name);
  is_null_ = false;
}

Path::Path(py::handle value, const char* name) {
  const py::object path = py::reinterpret_steal<py::object>(PyOS_FSPath(value.ptr()));
  if (!path) {
    PyErr_Clear();
    throw py::type_error(std::string(name) + " is " + type_name(value) +
                         ", expected a path (str, bytes or os.PathLike)");
  }
  if (PyUnicode_Check(path.ptr())) {
    const py::object encoded = py::reinterpret_steal<py::object>(PyUnicode_EncodeFSDefault(path.ptr()));
    if (!encoded) throw py::error_already_set();
    value_ = encoded.cast<std::string>();
  } else {
    value_ = path.cast<std::string>();
  }
  refuse_nul(value_, name);
}

}  // namespace vsr_python
