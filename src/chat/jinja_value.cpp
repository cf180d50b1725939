#include "chat/jinja_value.h"

#include <algorithm>
#include <array>

#include "base/characters.h"
#include "base/error.h"

namespace vsr::chat::jinja {
namespace {

using base::fail;
using base::Status;

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
  const size_t size = base::floor_boundary(what, std::min(what.size(), kMostName));
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

}  // namespace vsr::chat::jinja
