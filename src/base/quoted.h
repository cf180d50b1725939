// Lists of names in messages.
#pragma once

#include <string>
#include <string_view>

namespace vsr::base {

// Adds a word to a list as messages write it: a, b, c.
inline void add_listed(std::string& list, std::string_view word) {
  if (!list.empty()) list += ", ";
  list.append(word);
}

// The same of a name: "a", "b", "c".
inline void add_quoted(std::string& list, std::string_view name) {
  add_listed(list, "\"");
  list.append(name).append(1, '"');
}

}  // namespace vsr::base
