// A text as patterns of personal data read it: what people take for a plain digit, letter or separator is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace vsr::facts {

// Digits of every script, letters of full width, of mathematics or that look like Latin ones, dashes and spaces become
// their ASCII forms; marks, controls and what is not seen at all go. Everything else stays, one character for one.
class PatternText {
 public:
  // `text` is well-formed UTF-8 and outlives this.
  explicit PatternText(std::string_view text);

  // Whether anything is other than in the text; else view() is empty.
  bool changed() const { return changed_; }
  std::string_view view() const { return folded_; }
  // Where a span of view() that begins and ends with ASCII characters lies in the text.
  base::Span original(size_t begin, size_t end) const;

 private:
  void fold();
  size_t original(size_t position) const;

  // From this byte of the folded text on, the distance to the original is another.
  struct Shift {
    uint32_t folded, original;
  };
  std::string_view text_;
  std::string folded_;
  std::vector<Shift> shifts_;
  bool changed_ = false;
};

}  // namespace vsr::facts
