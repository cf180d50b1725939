// The values of chat templates: what Python's would be. Immutable but for namespaces, and cheap to copy. How deep lists
// and dicts hold each other is bounded, so that whatever goes through them may recurse.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace vsr::chat::jinja {

class Value;
using List = std::vector<Value>;  // tuples too
// In the order of insertion. Keys are strings; templates look up few keys in small dicts.
using Dict = std::vector<std::pair<std::string, Value>>;

struct Undefined {
  Undefined() = default;
  explicit Undefined(std::string_view what);
  std::string name;  // the front of what was looked up, for messages
};
struct None {};
// Made by namespace(): the one thing that a template can change. Values refer to it; the rendering owns it.
struct Namespace {
  Dict fields;
};
// What a call passes.
struct Arguments {
  List positional;
  Dict named;
};
class Rendering;
struct Function {
  std::string name;
  std::function<Value(const Arguments&, Rendering&)> call;
  size_t depth = 0;  // of the value that `call` holds
};

class Value {
 public:
  Value() : data_(Undefined{}) {}
  Value(Undefined undefined) : data_(std::move(undefined)) {}
  Value(None none) : data_(none) {}
  Value(bool flag) : data_(flag) {}
  Value(int64_t number) : data_(number) {}
  Value(double number) : data_(number) {}
  Value(std::string text) : data_(std::make_shared<const std::string>(std::move(text))) {}
  Value(std::string_view text) : Value(std::string(text)) {}
  Value(const char* text) : Value(std::string(text)) {}
  // These throw kLimit for what is nested too deeply.
  Value(List items);
  Value(Dict entries);
  Value(Function function);
  explicit Value(Namespace* fields) : data_(fields) {}

  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_none() const { return std::holds_alternative<None>(data_); }
  bool is_bool() const { return std::holds_alternative<bool>(data_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(data_); }
  bool is_float() const { return std::holds_alternative<double>(data_); }
  bool is_number() const { return is_bool() || is_integer() || is_float(); }
  bool is_string() const { return string() != nullptr; }

  // Null where the value is of another type.
  const std::string* string() const { return pointee<std::string>(); }
  const List* list() const { return held<List>(); }
  const Dict* dict() const { return held<Dict>(); }
  Namespace* name_space() const {
    auto* const* fields = std::get_if<Namespace*>(&data_);
    return fields == nullptr ? nullptr : *fields;
  }
  const Function* function() const { return held<Function>(); }
  const Undefined& undefined() const { return std::get<Undefined>(data_); }
  // Of an integer or a bool.
  int64_t integer() const { return is_bool() ? std::get<bool>(data_) : std::get<int64_t>(data_); }
  // Of any number.
  double number() const { return is_float() ? std::get<double>(data_) : static_cast<double>(integer()); }

  // How many lists, dicts and functions hold each other: 0 for what holds none, and for a namespace.
  size_t depth() const;
  // Python's name of the type, for messages.
  std::string_view type_name() const;

 private:
  template <class T>
  struct Node {
    T value;
    size_t depth;
  };
  template <class T>
  static std::shared_ptr<const Node<T>> make_node(T value, size_t depth);
  template <class T>
  const T* pointee() const {
    const auto* shared = std::get_if<std::shared_ptr<const T>>(&data_);
    return shared == nullptr ? nullptr : shared->get();
  }
  template <class T>
  const T* held() const {
    const Node<T>* node = pointee<Node<T>>();
    return node == nullptr ? nullptr : &node->value;
  }
  std::variant<Undefined, None, bool, int64_t, double, std::shared_ptr<const std::string>,
               std::shared_ptr<const Node<List>>, std::shared_ptr<const Node<Dict>>, Namespace*,
               std::shared_ptr<const Node<Function>>>
      data_;
};

// Something is wrong with what a template does; the evaluator adds the line.
[[noreturn]] void fail_type(const std::string& what);
[[noreturn]] void fail_unsupported(const std::string& what);

const Value* find(const Dict& entries, std::string_view key);

bool truth(const Value& value);

}  // namespace vsr::chat::jinja
