#include "chat/jinja_value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/utf8.h"
#include "chat/jinja_rendering.h"
#include "chat/jinja_text.h"

namespace vsr::chat::jinja {
namespace {

using base::fail;
using base::Status;

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

// So deep that no template of a model comes near, and so little that the stack bears it everywhere.
constexpr size_t kMaxDepth = 64;
constexpr size_t kMostName = 48;  // bytes of a name that a message repeats

size_t depth_of(const Value& value) { return value.depth(); }
size_t depth_of(const std::pair<std::string, Value>& entry) { return entry.second.depth(); }

template <class Items>
size_t depth_above(const Items& items) {
  size_t most = 0;
  for (const auto& item : items) most = std::max(most, depth_of(item));
  return most + 1;
}

}  // namespace

Undefined::Undefined(std::string_view what) {
  size_t size = std::min(what.size(), kMostName);
  while (size > 0 && size < what.size() && (what[size] & 0xC0) == 0x80) --size;
  name = what.substr(0, size);
}

template <class T>
std::shared_ptr<const Value::Node<T>> Value::make_node(T value, size_t depth) {
  if (depth > kMaxDepth) fail(Status::kLimit, "values hold each other more than ", kMaxDepth, " deep");
  return std::make_shared<const Node<T>>(Node<T>{std::move(value), depth});
}

Value::Value(List items) {
  const size_t depth = depth_above(items);
  data_ = make_node(std::move(items), depth);
}

Value::Value(Dict entries) {
  const size_t depth = depth_above(entries);
  data_ = make_node(std::move(entries), depth);
}

Value::Value(Function function) {
  const size_t depth = function.depth + 1;
  data_ = make_node(std::move(function), depth);
}

size_t Value::depth() const {
  if (const auto* node = pointee<Node<List>>()) return node->depth;
  if (const auto* node = pointee<Node<Dict>>()) return node->depth;
  const auto* node = pointee<Node<Function>>();
  return node == nullptr ? 0 : node->depth;
}

void fail_type(const std::string& what) { fail(Status::kParse, what); }
void fail_unsupported(const std::string& what) { fail(Status::kUnsupported, what, ", which vsr does not run"); }

std::string_view Value::type_name() const {
  constexpr std::array<std::string_view, 10> kNames{"undefined", "none", "bool", "int",       "float",
                                                    "str",       "list", "dict", "namespace", "function"};
  return kNames[data_.index()];
}

const Value* find(const Dict& entries, std::string_view key) {
  for (const auto& [name, value] : entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

bool truth(const Value& value) {
  if (value.is_undefined() || value.is_none()) return false;
  if (value.is_number()) return value.number() != 0;
  if (const auto* text = value.string()) return !text->empty();
  if (const auto* items = value.list()) return !items->empty();
  if (const auto* entries = value.dict()) return !entries->empty();
  return true;
}

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
