// Lists of names in messages.
#pragma once

#include <string>
#include <string_view>

namespace vsr::base {

// Adds a name to a list as messages write it: "a", "b", "c".
inline void add_quoted(std::string& list, std::string_view name) {
  if (!list.empty()) list += ", ";
  list.append(1, '"').append(name).append(1, '"');
}

}  // namespace vsr::base
