// Where the characters of UTF-8 begin and end.
#pragma once

#include <cstddef>
#include <string_view>

namespace vsr::base {

// Whether the byte belongs to a character that began before it.
constexpr bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// The characters' boundary at `position` or next to it, down and up; beyond the end there are none to look for.
constexpr size_t floor_boundary(std::string_view text, size_t position) {
  while (position > 0 && position < text.size() && is_continuation(text[position])) --position;
  return position;
}
constexpr size_t ceil_boundary(std::string_view text, size_t position) {
  while (position < text.size() && is_continuation(text[position])) ++position;
  return position;
}

}  // namespace vsr::base
