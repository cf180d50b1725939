// Reference: jinja2 3.1, filters.py and tests.py; tojson as transformers has it.
#include "chat/jinja_filters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "chat/jinja_arguments.h"
#include "chat/jinja_lexer.h"
#include "chat/jinja_strings.h"

namespace vsr::chat::jinja {
namespace {

using Filter = Value (*)(const Value&, const Bound&, Limits&);
struct FilterEntry {
  std::string_view name;
  std::vector<const char*> parameters;
  Filter run;
};

Value to_integer(const Value& value, int64_t otherwise) {
  if (value.is_float()) {
    if (!(std::abs(value.number()) < 9e18)) fail_unsupported("an int beyond 64 bits");
    return Value(static_cast<int64_t>(value.number()));
  }
  if (value.is_number()) return Value(value.integer());
  if (!value.is_string()) return Value(otherwise);
  const std::string_view text = strip_left(strip_right(*value.string()));
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return Value(number);
  if (text.find_first_of("0123456789") != std::string_view::npos)
    fail_unsupported("int of the text \"" + std::string(text) + '"');
  return Value(otherwise);
}

Value join(const Value& value, const Bound& given, Limits& limits) {
  const std::string* separator = given.optional_string(0);
  const std::string* name = given.optional_string(1);
  std::string text;
  bool first = true;
  for (const Value& one : iterate(value, limits)) {
    if (!std::exchange(first, false) && separator != nullptr) text += *separator;
    text += to_text(name != nullptr ? attribute(one, *name) : one);
    limits.step();
  }
  return limits.string(std::move(text));
}

Value unique(const Value& value, Limits& limits) {
  List kept;
  for (const Value& one : iterate(value, limits)) {
    limits.step();
    const auto same = [&](const Value& other) {
      limits.step();
      if (one.is_string()) fail_unsupported("\"unique\" of strings");
      return equal(one, other);
    };
    if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(one);
  }
  return limits.list(std::move(kept));
}

Value reversed(const Value& value, Limits& limits) {
  List items = iterate(value, limits);
  std::reverse(items.begin(), items.end());
  if (!value.is_string()) return limits.list(std::move(items));
  std::string text;
  for (const Value& character : items) text += *character.string();
  return limits.string(std::move(text));
}

Value entries_of(const Value& value, Limits& limits) {
  if (value.is_undefined()) return Value(List{});
  if (value.dict() == nullptr) fail_type("items of " + std::string(value.type_name()) + ", expected a dict");
  List items;
  for (const auto& [key, entry] : *value.dict()) items.push_back(Value(List{Value(key), entry}));
  return limits.list(std::move(items));
}

Value json_of(const Value& value, const Bound& given, Limits& limits) {
  if (given.flag(0, false)) fail_unsupported("tojson with ensure_ascii");
  return limits.string(to_json(value, given.integer(1, -1)));
}

Value absolute(const Value& value) {
  if (value.is_float()) return Value(std::abs(value.number()));
  if (!value.is_number()) fail_type("abs of " + std::string(value.type_name()));
  return Value(value.integer() < 0 ? -value.integer() : value.integer());
}

Value end_of(const Value& value, bool last, Limits& limits) {
  const List items = iterate(value, limits);
  if (items.empty()) return Undefined{last ? "the last item" : "the first item"};
  return last ? items.back() : items.front();
}

const std::vector<FilterEntry>& filters() {
  static const std::vector<FilterEntry> kFilters{
      {"trim",
       {"chars"},
       [](auto& v, auto& a, auto& l) {
         const std::string text = to_text(v);
         const std::string* characters = a.optional_string(0);
         return l.string(std::string(strip_left(strip_right(text, characters), characters)));
       }},
      {"length", {}, [](auto& v, auto&, auto&) { return Value(static_cast<int64_t>(length(v))); }},
      {"count", {}, [](auto& v, auto&, auto&) { return Value(static_cast<int64_t>(length(v))); }},
      {"tojson", {"ensure_ascii", "indent"}, json_of},
      {"upper", {}, [](auto& v, auto&, auto& l) { return l.string(upper(to_text(v))); }},
      {"lower", {}, [](auto& v, auto&, auto& l) { return l.string(lower(to_text(v))); }},
      {"capitalize", {}, [](auto& v, auto&, auto& l) { return l.string(capitalize(to_text(v))); }},
      {"first", {}, [](auto& v, auto&, auto& l) { return end_of(v, false, l); }},
      {"last", {}, [](auto& v, auto&, auto& l) { return end_of(v, true, l); }},
      {"join", {"d", "attribute"}, join},
      {"list", {}, [](auto& v, auto&, auto& l) { return l.list(iterate(v, l)); }},
      {"string", {}, [](auto& v, auto&, auto& l) { return l.string(to_text(v)); }},
      {"int", {"default"}, [](auto& v, auto& a, auto&) { return to_integer(v, a.integer(0, 0)); }},
      {"abs", {}, [](auto& v, auto&, auto&) { return absolute(v); }},
      {"replace",
       {"old", "new", "count"},
       [](auto& v, auto& a, auto& l) { return replace(to_text(v), a.string(0), a.string(1), a.integer(2, -1), l); }},
      {"items", {}, [](auto& v, auto&, auto& l) { return entries_of(v, l); }},
      {"reverse", {}, [](auto& v, auto&, auto& l) { return reversed(v, l); }},
      {"unique", {}, [](auto& v, auto&, auto& l) { return unique(v, l); }},
  };
  return kFilters;
}

Value default_of(const Value& value, const Bound& given) {
  const bool replaced = value.is_undefined() || (given.flag(1, false) && !truth(value));
  if (!replaced) return value;
  return given.has(0) ? given.value(0) : Value("");
}

// What follows the first `count` positional arguments.
Arguments rest_of(const Arguments& arguments, size_t count) {
  return {List(arguments.positional.begin() + static_cast<ptrdiff_t>(count), arguments.positional.end()), {}};
}

const std::string& name_argument(const std::string& filter, const Arguments& arguments, size_t index) {
  if (index >= arguments.positional.size() || !arguments.positional[index].is_string()) {
    fail_type(filter + "() needs a name");
  }
  return *arguments.positional[index].string();
}

// "a.b" is looked up step by step.
Value path_of(const Value& value, std::string_view path) {
  const size_t dot = path.find('.');
  const Value found = attribute(value, std::string(path.substr(0, dot)));
  return dot == std::string_view::npos ? found : path_of(found, path.substr(dot + 1));
}

// select, reject, and with the name of an attribute before the test selectattr, rejectattr.
Value select(const std::string& filter, const Value& value, const Arguments& arguments, Limits& limits) {
  if (!arguments.named.empty()) fail_unsupported("a named argument of " + filter + "()");
  const bool by_attribute = filter.ends_with("attr");
  const bool wanted = filter.starts_with("select");
  const size_t skipped = by_attribute ? 1 : 0;
  List kept;
  for (const Value& one : iterate(value, limits)) {
    limits.step();
    const Value tested = by_attribute ? path_of(one, name_argument(filter, arguments, 0)) : one;
    const bool passed = arguments.positional.size() == skipped ? truth(tested)
                                                               : apply_test(name_argument(filter, arguments, skipped),
                                                                            tested, rest_of(arguments, skipped + 1));
    if (passed == wanted) kept.push_back(one);
  }
  return limits.list(std::move(kept));
}

Value map(const Value& value, const Arguments& arguments, Limits& limits) {
  const Value* name = find(arguments.named, "attribute");
  if (name == nullptr && !arguments.named.empty()) fail_unsupported("a named argument of map()");
  if (name != nullptr && (arguments.named.size() > 1 || !name->is_string())) fail_unsupported("map() in this form");
  List made;
  for (const Value& one : iterate(value, limits)) {
    limits.step();
    made.push_back(name != nullptr
                       ? path_of(one, *name->string())
                       : apply_filter(name_argument("map", arguments, 0), one, rest_of(arguments, 1), limits));
  }
  return limits.list(std::move(made));
}

bool compare(const std::string& name, const Value& value, const Arguments& arguments) {
  if (arguments.positional.size() != 1 || !arguments.named.empty()) fail_type("\"" + name + "\" takes one argument");
  const Value& other = arguments.positional.front();
  if (name == "eq" || name == "equalto" || name == "==") return equal(value, other);
  if (name == "ne" || name == "!=") return !equal(value, other);
  if (name == "lt" || name == "lessthan" || name == "<") return less(value, other);
  if (name == "gt" || name == "greaterthan" || name == ">") return less(other, value);
  if (name == "le" || name == "<=") return !less(other, value);
  if (name == "ge" || name == ">=") return !less(value, other);
  if (name == "in") return contains(other, value);
  if (name == "divisibleby") {
    if (!value.is_number() || value.is_float() || !other.is_integer() || other.integer() == 0) {
      fail_type("\"divisibleby\" takes whole numbers");
    }
    return value.integer() % other.integer() == 0;
  }
  fail_unsupported("the test \"" + name + "\"");
}

struct TestEntry {
  std::string_view name;
  bool (*holds)(const Value&);
};

constexpr std::array<TestEntry, 17> kTests{{
    {"defined", [](const Value& v) { return !v.is_undefined(); }},
    {"undefined", [](const Value& v) { return v.is_undefined(); }},
    {"none", [](const Value& v) { return v.is_none(); }},
    {"boolean", [](const Value& v) { return v.is_bool(); }},
    {"true", [](const Value& v) { return v.is_bool() && v.integer() != 0; }},
    {"false", [](const Value& v) { return v.is_bool() && v.integer() == 0; }},
    {"integer", [](const Value& v) { return v.is_integer(); }},
    {"float", [](const Value& v) { return v.is_float(); }},
    {"number", [](const Value& v) { return v.is_number(); }},
    {"string", [](const Value& v) { return v.is_string(); }},
    {"mapping", [](const Value& v) { return v.dict() != nullptr; }},
    {"iterable", [](const Value& v) { return v.is_string() || v.list() || v.dict() || v.is_undefined(); }},
    {"sequence", [](const Value& v) { return v.is_string() || v.list() || v.dict() || v.is_undefined(); }},
    {"callable", [](const Value& v) { return v.function() != nullptr; }},
    {"odd", [](const Value& v) { return v.is_number() && !v.is_float() && v.integer() % 2 != 0; }},
    {"even", [](const Value& v) { return v.is_number() && !v.is_float() && v.integer() % 2 == 0; }},
    {"filter", nullptr},
}};

// The methods of a dict, which hide entries of the same name.
Value dict_method(const Value& value, const std::string& name) {
  if (name == "get") {
    return Function{name, [value](const Arguments& given, Limits&) {
                      static const std::vector<const char*> kParameters{"key", "default"};
                      const Bound bound("get", kParameters, given);
                      const Value* found = bound.value(0).is_string() ? find(*value.dict(), bound.string(0)) : nullptr;
                      if (found != nullptr) return *found;
                      return bound.has(1) ? bound.value(1) : Value(None{});
                    }};
  }
  return Function{name, [value, name](const Arguments& given, Limits& limits) {
                    if (!given.positional.empty() || !given.named.empty()) fail_type(name + "() takes no arguments");
                    if (name == "items") return entries_of(value, limits);
                    List items;
                    for (const auto& [key, entry] : *value.dict()) {
                      items.push_back(name == "keys" ? Value(key) : entry);
                    }
                    return limits.list(std::move(items));
                  }};
}

template <size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 4> kDictMethods{"get", "items", "keys", "values"};
constexpr std::array<std::string_view, 7> kOtherDictMethods{"clear",   "copy",       "fromkeys", "pop",
                                                            "popitem", "setdefault", "update"};
constexpr std::array<std::string_view, 11> kListMethods{"append", "clear", "copy",   "count",   "extend", "index",
                                                        "insert", "pop",   "remove", "reverse", "sort"};

}  // namespace

Value apply_filter(const std::string& name, const Value& value, const Arguments& arguments, Limits& limits) {
  limits.step();
  if (name == "default" || name == "d") {
    static const std::vector<const char*> kParameters{"default_value", "boolean"};
    return default_of(value, Bound(name, kParameters, arguments));
  }
  if (name == "map") return map(value, arguments, limits);
  if (name == "select" || name == "reject" || name == "selectattr" || name == "rejectattr") {
    return select(name, value, arguments, limits);
  }
  for (const FilterEntry& entry : filters()) {
    if (entry.name == name) return entry.run(value, Bound(name, entry.parameters, arguments), limits);
  }
  fail_unsupported("the filter \"" + name + "\"");
}

bool apply_test(const std::string& name, const Value& value, const Arguments& arguments) {
  for (const TestEntry& entry : kTests) {
    if (entry.name != name || entry.holds == nullptr) continue;
    if (!arguments.positional.empty() || !arguments.named.empty()) fail_type("\"" + name + "\" takes no arguments");
    return entry.holds(value);
  }
  if (arguments.positional.empty()) fail_unsupported("the test \"" + name + "\"");
  return compare(name, value, arguments);
}

Value attribute(const Value& value, const std::string& name) {
  if (value.is_undefined())
    fail_type("\"" + value.undefined().name + "\" is undefined, and \"." + name + "\" asks for more");
  if (const auto* entries = value.dict()) {
    if (is_one_of(kDictMethods, name)) return dict_method(value, name);
    if (is_one_of(kOtherDictMethods, name)) fail_unsupported("the method \"" + name + "\" of a dict");
    const Value* found = find(*entries, name);
    return found != nullptr ? *found : Value(Undefined{name});
  }
  if (const Namespace* held = value.name_space()) {
    const Value* found = find(held->fields, name);
    return found != nullptr ? *found : Value(Undefined{name});
  }
  if (value.is_string()) {
    const auto method = string_method(value, name);
    return method ? *method : Value(Undefined{name});
  }
  if (value.list() != nullptr && is_one_of(kListMethods, name)) {
    fail_unsupported("the method \"" + name + "\" of a list");
  }
  return Undefined{name};
}

Value item(const Value& value, const Value& index, Limits& limits) {
  if (value.is_undefined()) fail_type("\"" + value.undefined().name + "\" is undefined and has no items");
  if (index.is_string()) {
    if (const auto* entries = value.dict()) {
      if (const Value* found = find(*entries, *index.string())) return *found;
    }
    return attribute(value, *index.string());
  }
  if (!index.is_integer() && !index.is_bool()) return Undefined{"an item"};
  if (value.list() == nullptr && !value.is_string()) return Undefined{std::to_string(index.integer())};
  const List characters = value.is_string() ? iterate(value, limits) : List{};
  const List& items = value.is_string() ? characters : *value.list();
  const auto size = static_cast<int64_t>(items.size());
  const int64_t place = index.integer() < 0 ? index.integer() + size : index.integer();
  if (place < 0 || place >= size) return Undefined{"item " + std::to_string(index.integer())};
  return items[static_cast<size_t>(place)];
}

}  // namespace vsr::chat::jinja
