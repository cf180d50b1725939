// Reading JSON of which nothing is certain.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.h"

namespace vsr::chat {

using Node = base::JsonValue::Node;

// Null where there is none.
inline const Node* find_member(const Node& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

inline const std::string* find_text(const Node& object, const char* key) {
  const Node* member = find_member(object, key);
  return member != nullptr && member->is_string() ? member->get_ptr<const std::string*>() : nullptr;
}

inline std::string_view text_or_empty(const Node& object, const char* key) {
  const std::string* text = find_text(object, key);
  return text == nullptr ? std::string_view() : std::string_view(*text);
}

inline const Node* find_array(const Node& object, const char* key) {
  const Node* member = find_member(object, key);
  return member != nullptr && member->is_array() ? member : nullptr;
}

inline int32_t index_or(const Node& object, const char* key, int32_t otherwise) {
  const Node* member = find_member(object, key);
  if (member == nullptr || !member->is_number_integer()) return otherwise;
  const auto value = member->get<int64_t>();
  return value < 0 || value > 1'000'000 ? otherwise : static_cast<int32_t>(value);
}

// Whether an object says that something failed, and nothing besides: a member "error" that is not null, among names
// that errors come with.
bool is_error(const Node& object);

}  // namespace vsr::chat
