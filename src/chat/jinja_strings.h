// Strings as Python has them: characters are code points, counted from either end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

// Reads the escapes of a string literal; false for one that is not supported.
bool unescape(std::string_view literal, std::string& out);

// The bounds of a slice, as Python's slice.indices(); a step of 0 is an error.
struct SliceBounds {
  std::optional<int64_t> start, stop;
  int64_t step = 1;
};
Value slice(const Value& value, const SliceBounds& bounds, Rendering& rendering);

// A method of a string, bound to it; nothing when Python has none of that name.
std::optional<Value> string_method(const Value& text, const std::string& name);

// str.upper(), lower(), title() and capitalize(), of ASCII text.
std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string title(std::string_view text);
std::string capitalize(std::string_view text);

// str.replace(); `count` < 0: all.
Value replace(std::string_view text, std::string_view from, std::string_view to, int64_t count, Rendering& rendering);

}  // namespace vsr::chat::jinja
