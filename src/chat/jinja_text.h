// Texts by their characters, which are code points, and searches in them that take linear time.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "chat/jinja_rendering.h"

namespace vsr::chat::jinja {

bool is_space(char32_t c);

// str.strip() and its relatives, of Python's white space.
std::string_view strip_left(std::string_view text);
std::string_view strip_right(std::string_view text);

// The same of any of `characters`.
class CharacterSet {
 public:
  CharacterSet(std::string_view characters, Rendering& rendering);
  std::string_view strip_left(std::string_view text) const;
  std::string_view strip_right(std::string_view text) const;

 private:
  bool contains(char32_t c) const;
  std::bitset<128> ascii_;
  std::vector<char32_t> sorted_;  // the others
};

// std::string_view::find() takes their product where both are long and alike.
size_t find_text(std::string_view text, std::string_view part, Rendering& rendering);

// The characters of a well-formed text. Borrows it.
class Characters {
 public:
  Characters(std::string_view text, Rendering& rendering);
  size_t size() const { return ascii_ ? text_.size() : starts_.size() - 1; }
  std::string_view operator[](size_t i) const { return range(i, i + 1); }
  std::string_view range(size_t begin, size_t end) const {
    return ascii_ ? text_.substr(begin, end - begin) : text_.substr(starts_[begin], starts_[end] - starts_[begin]);
  }

 private:
  std::string_view text_;
  bool ascii_;
  std::vector<uint32_t> starts_;  // and the end; empty for ASCII
};

size_t count_characters(std::string_view text);

}  // namespace vsr::chat::jinja
