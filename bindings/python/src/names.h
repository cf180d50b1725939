// Lists of names, and dicts of texts, as options of the C ABI point to them; words that stand for its numbers.
#pragma once

#include <cstddef>
#include <deque>
#include <span>
#include <vector>

#include "text.h"

namespace vsr_python {

struct Word {
  const char* word;
  int32_t number;
};

// None is 0; a word that is none of these is an error that names them.
int32_t number_of_word(py::handle value, const char* name, std::span<const Word> words);

// The strings of an iterable; `what` is how an error names one.
class Names {
 public:
  Names(py::handle names, const char* what) {
    for (const py::handle name : py::iter(names)) {
      held_.emplace_back(name, what);
      pointers_.push_back(held_.back().get());
    }
  }
  const char* const* data() const { return pointers_.data(); }
  size_t size() const { return pointers_.size(); }

 private:
  std::deque<CString> held_;
  std::vector<const char*> pointers_;
};

// The items of a dict of strings.
class NamedTexts {
 public:
  NamedTexts(const py::dict& items, const char* what) {
    for (const auto& [name, value] : items) {
      held_names_.emplace_back(name, what);
      held_values_.emplace_back(value, what);
      names_.push_back(held_names_.back().get());
      values_.push_back(held_values_.back().view());
    }
  }
  const char* const* names() const { return names_.data(); }
  const vsr_str* values() const { return values_.data(); }
  size_t size() const { return names_.size(); }

 private:
  std::deque<CString> held_names_;
  std::deque<Text> held_values_;
  std::vector<const char*> names_;
  std::vector<vsr_str> values_;
};

}  // namespace vsr_python
