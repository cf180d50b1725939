#include "chat/jinja_protocols.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/utf8.h"
#include "chat/jinja_text.h"

namespace vsr::chat::jinja {
namespace {

// As Python's repr(): the shortest digits that read back, with an exponent below 1e-4 and from 1e16 on.
std::string float_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer;
  const double magnitude = std::abs(value);
  const bool exponent = magnitude != 0 && (magnitude < 1e-4 || magnitude >= 1e16);
  const auto format = exponent ? std::chars_format::scientific : std::chars_format::fixed;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
  std::string text(buffer.data(), end);
  if (!exponent && text.find('.') == std::string::npos) text += ".0";
  return text;
}

}  // namespace

// Values that share parts can hold far more of them than there is memory: each comparison is charged.
bool equal(const Value& a, const Value& b, Rendering& rendering) {
  rendering.step();
  if (a.is_number() && b.is_number()) {
    if (a.is_float() || b.is_float()) return a.number() == b.number();
    return a.integer() == b.integer();
  }
  if (a.is_string() && b.is_string()) {
    rendering.bytes(std::min(a.string()->size(), b.string()->size()));
    return *a.string() == *b.string();
  }
  const auto same = [&](const Value& left, const Value& right) { return equal(left, right, rendering); };
  if (a.list() != nullptr && b.list() != nullptr) {
    return std::equal(a.list()->begin(), a.list()->end(), b.list()->begin(), b.list()->end(), same);
  }
  if (a.dict() != nullptr && b.dict() != nullptr) {
    const auto same_entry = [&](const auto& entry) {
      const Value* other = rendering.find(*b.dict(), entry.first);
      return other != nullptr && same(entry.second, *other);
    };
    return a.dict()->size() == b.dict()->size() && std::all_of(a.dict()->begin(), a.dict()->end(), same_entry);
  }
  if (a.name_space() != nullptr) return a.name_space() == b.name_space();
  if (a.function() != nullptr) return a.function() == b.function();
  return (a.is_none() && b.is_none()) || (a.is_undefined() && b.is_undefined());
}

bool less(const Value& a, const Value& b, Rendering& rendering) {
  if (a.is_number() && b.is_number()) {
    if (a.is_float() || b.is_float()) return a.number() < b.number();
    return a.integer() < b.integer();
  }
  // Bytes of UTF-8 are ordered as their code points are.
  if (a.is_string() && b.is_string()) {
    rendering.bytes(std::min(a.string()->size(), b.string()->size()));
    return *a.string() < *b.string();
  }
  fail_type("cannot order " + std::string(a.type_name()) + " and " + std::string(b.type_name()));
}

bool contains(const Value& container, const Value& item, Rendering& rendering) {
  if (const auto* text = container.string()) {
    if (!item.is_string()) fail_type("a str contains strings only, not " + std::string(item.type_name()));
    return find_text(*text, *item.string(), rendering) != std::string_view::npos;
  }
  if (const auto* items = container.list()) {
    return std::any_of(items->begin(), items->end(), [&](const Value& one) { return equal(one, item, rendering); });
  }
  if (const auto* entries = container.dict()) {
    return item.is_string() && rendering.find(*entries, *item.string()) != nullptr;
  }
  if (container.is_undefined()) return false;
  fail_type("cannot look into " + std::string(container.type_name()) + " with \"in\"");
}

std::string to_text(const Value& value, Rendering& rendering) {
  if (value.is_undefined()) return "";
  if (value.is_none()) return "None";
  if (value.is_bool()) return value.integer() != 0 ? "True" : "False";
  if (value.is_integer()) return std::to_string(value.integer());
  if (value.is_float()) return float_text(value.number());
  if (const auto* text = value.string()) {
    rendering.bytes(text->size());
    return *text;
  }
  fail_unsupported("text of a " + std::string(value.type_name()) + " as Python writes it");
}

size_t length(const Value& value, Rendering& rendering) {
  if (value.is_undefined()) return 0;
  if (const auto* text = value.string()) {
    rendering.bytes(text->size());
    return count_characters(*text);
  }
  if (const auto* items = value.list()) return items->size();
  if (const auto* entries = value.dict()) return entries->size();
  fail_type(std::string(value.type_name()) + " has no length");
}

List iterate(const Value& value, Rendering& rendering) {
  List items;
  if (const auto* list = value.list()) {
    rendering.values(list->size());
    items = *list;
  } else if (const auto* entries = value.dict()) {
    for (const auto& [key, entry] : *entries) rendering.append(items, key);
  } else if (const auto* text = value.string()) {
    for (std::string_view rest = *text; !rest.empty();) {
      const size_t size = base::decode_utf8(rest).size;
      rendering.append(items, rest.substr(0, size));
      rest.remove_prefix(size);
    }
  } else if (!value.is_undefined()) {
    fail_type(std::string(value.type_name()) + " is nothing to go over");
  }
  return items;
}

}  // namespace vsr::chat::jinja
