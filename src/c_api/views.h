// What handles give: texts and structs that stay theirs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "vsr/types.h"

namespace vsr::c_api {

// A std::string ends with a NUL that its size does not count, as the header promises.
inline vsr_str view(const std::string& text) { return {text.c_str(), text.size()}; }
inline vsr_str view(const std::optional<std::string>& text) { return text ? view(*text) : vsr_str{}; }
inline vsr_str view_unless_empty(const std::string& text) { return text.empty() ? vsr_str{} : view(text); }

// A struct with its size, for the caller to see which fields it has.
template <class Struct>
Struct sized() {
  Struct empty{};
  empty.struct_size = sizeof(Struct);
  return empty;
}

// NULL out of range.
template <class Elements>
auto element(const Elements& elements, size_t index) -> decltype(&elements[index]) {
  return index < elements.size() ? &elements[index] : nullptr;
}

}  // namespace vsr::c_api
