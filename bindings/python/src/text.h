// Python strings as the C ABI takes them, and its byte offsets as Python counts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "call.h"

namespace vsr_python {

// One text. A str is passed as UTF-8, a lone surrogate in it as the three bytes that are no UTF-8; bytes are passed as
// they are. Keeps the object, and with it the bytes, alive. Holding one needs no GIL, copying one does.
class Text {
 public:
  // `what` is how an error names the argument, such as "texts[3]".
  Text(py::handle object, const std::string& what);
  // One in memory that `owner` keeps; its offsets are code points.
  Text(py::handle owner, vsr_str view)
      : keep_(py::reinterpret_borrow<py::object>(owner)), view_(view), counts_code_points_(true) {}

  vsr_str view() const { return view_; }
  // Offsets of a str are code points; those of bytes, and of ASCII, are bytes.
  bool counts_code_points() const { return counts_code_points_; }

 private:
  py::object keep_;
  vsr_str view_{};
  bool counts_code_points_ = false;
};

// Turns byte offsets in a text into indices of its Python object.
class OffsetMap {
 public:
  explicit OffsetMap(const Text& text);
  // A start inside a character is the character's own, an end inside one is that of the next.
  size_t start(size_t byte) const;
  size_t end(size_t byte) const;

 private:
  // Characters that begin before `byte`.
  size_t characters_before(size_t byte) const;

  vsr_str text_;
  bool identity_;
  std::vector<size_t> block_counts_;  // characters that begin before each block
};

// The texts of one call.
class TextBatch {
 public:
  // A str or bytes is a batch of one, a TextColumn one of its texts that are not null; anything else is iterated.
  TextBatch(py::handle texts, const char* name);

  const vsr_str* data() const { return views_.data(); }
  size_t size() const { return views_.size(); }
  const Text& operator[](size_t i) const { return texts_[i]; }
  void add(py::handle text, const std::string& what);
  // Without copies of the texts. False: `texts` is no TextColumn.
  bool add_column(py::handle texts);

 protected:
  TextBatch() = default;

 private:
  std::vector<Text> texts_;
  std::vector<vsr_str> views_;
};

// Texts, or pairs of them: a TextColumn, or each element a str or bytes, or each a tuple or list of two.
class PairBatch {
 public:
  explicit PairBatch(py::handle texts);

  const vsr_str* texts() const { return first_.data(); }
  // NULL where the elements are single texts.
  const vsr_str* pairs() const { return has_pairs_ ? second_.data() : nullptr; }
  size_t size() const { return first_.size(); }
  const TextBatch& first() const { return first_; }
  // The second texts, or where there are none the texts.
  const TextBatch& last() const { return has_pairs_ ? second_ : first_; }

 private:
  struct Sides : TextBatch {
    Sides() = default;
  };
  Sides first_;
  Sides second_;
  bool has_pairs_ = false;
};

// A name that crosses as a C string: None is NULL, a NUL inside is an error.
class CString {
 public:
  CString(py::handle value, const char* name);
  const char* get() const { return is_null_ ? nullptr : value_.c_str(); }

 private:
  std::string value_;
  bool is_null_ = true;
};

// A path: str, bytes or os.PathLike, in the encoding of the file system.
class Path {
 public:
  Path(py::handle value, const char* name);
  const char* get() const { return value_.c_str(); }

 private:
  std::string value_;
};

}  // namespace vsr_python
