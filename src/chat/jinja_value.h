// The values of chat templates: what Python's would be. Immutable but for namespaces, and cheap to copy.
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
  std::string name;  // what was looked up, for messages
};
struct None {};
// Made by namespace(): the one thing that a template can change.
struct Namespace {
  Dict fields;
};
// What a call passes.
struct Arguments {
  List positional;
  Dict named;
};
class Limits;
struct Function {
  std::string name;
  std::function<Value(const Arguments&, Limits&)> call;
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
  Value(List items) : data_(std::make_shared<const List>(std::move(items))) {}
  Value(Dict entries) : data_(std::make_shared<const Dict>(std::move(entries))) {}
  Value(Function function) : data_(std::make_shared<const Function>(std::move(function))) {}
  static Value make_namespace(Dict fields) {
    Value value;
    value.data_ = std::make_shared<Namespace>(Namespace{std::move(fields)});
    return value;
  }

  bool is_undefined() const { return std::holds_alternative<Undefined>(data_); }
  bool is_none() const { return std::holds_alternative<None>(data_); }
  bool is_bool() const { return std::holds_alternative<bool>(data_); }
  bool is_integer() const { return std::holds_alternative<int64_t>(data_); }
  bool is_float() const { return std::holds_alternative<double>(data_); }
  bool is_number() const { return is_bool() || is_integer() || is_float(); }
  bool is_string() const { return string() != nullptr; }

  // Null where the value is of another type.
  const std::string* string() const { return pointee<const std::string>(); }
  const List* list() const { return pointee<const List>(); }
  const Dict* dict() const { return pointee<const Dict>(); }
  Namespace* name_space() const { return pointee<Namespace>(); }
  const Function* function() const { return pointee<const Function>(); }
  const Undefined& undefined() const { return std::get<Undefined>(data_); }
  // Of an integer or a bool.
  int64_t integer() const { return is_bool() ? std::get<bool>(data_) : std::get<int64_t>(data_); }
  // Of any number.
  double number() const { return is_float() ? std::get<double>(data_) : static_cast<double>(integer()); }

  // Python's name of the type, for messages.
  std::string_view type_name() const;

 private:
  template <class T>
  T* pointee() const {
    const auto* held = std::get_if<std::shared_ptr<T>>(&data_);
    return held == nullptr ? nullptr : held->get();
  }
  std::variant<Undefined, None, bool, int64_t, double, std::shared_ptr<const std::string>, std::shared_ptr<const List>,
               std::shared_ptr<const Dict>, std::shared_ptr<Namespace>, std::shared_ptr<const Function>>
      data_;
};

// What rendering may cost: templates come with checkpoints, from anyone. Every use throws kLimit when it is spent.
class Limits {
 public:
  void step() { charge(steps_, 1, "steps"); }
  // A string or list that is made.
  void bytes(size_t count) { charge(bytes_, count, "bytes"); }
  Value string(std::string text) {
    bytes(text.size());
    return Value(std::move(text));
  }
  Value list(List items) {
    bytes(items.size() * sizeof(Value));
    return Value(std::move(items));
  }

 private:
  static void charge(size_t& left, size_t count, const char* what);
  size_t steps_ = 2'000'000;
  size_t bytes_ = size_t{256} << 20;
};

// Something is wrong with what a template does; the evaluator adds the line.
[[noreturn]] void fail_type(const std::string& what);
[[noreturn]] void fail_unsupported(const std::string& what);

const Value* find(const Dict& entries, std::string_view key);

bool truth(const Value& value);
bool equal(const Value& a, const Value& b);
// a < b; throws for values that Python does not order.
bool less(const Value& a, const Value& b);
bool contains(const Value& container, const Value& item);
// str(). Lists and dicts, whose form is Python's own, are not supported.
std::string to_text(const Value& value);
// len(); throws for what has none.
size_t length(const Value& value);
// What a loop goes over: items, keys, characters.
List iterate(const Value& value, Limits& limits);

}  // namespace vsr::chat::jinja
