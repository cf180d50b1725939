// Header fields of HTTP, as RFC 9110 writes them.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/ascii.h"

namespace vsr::base {

// A token: pseudo-headers such as ":path" are none.
inline bool is_field_name(std::string_view name) {
  constexpr std::string_view kOthers = "!#$%&'*+-.^_`|~";
  const auto fits = [&](char c) {
    return is_ascii_letter(c) || (c >= '0' && c <= '9') || kOthers.find(c) != kOthers.npos;
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

// Without control characters but the tab: a line feed would begin another header.
inline bool is_field_value(std::string_view value) {
  return std::none_of(value.begin(), value.end(), [](unsigned char c) { return (c < 0x20 && c != '\t') || c == 0x7F; });
}

}  // namespace vsr::base
