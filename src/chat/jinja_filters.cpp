// Reference: jinja2 3.1, filters.py and tests.py; tojson as transformers has it.
#include "chat/jinja_filters.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "chat/jinja_arguments.h"
#include "chat/jinja_json.h"
#include "chat/jinja_operators.h"
#include "chat/jinja_protocols.h"
#include "chat/jinja_strings.h"
#include "chat/jinja_text.h"

namespace vsr::chat::jinja {
namespace {

using Filter = Value (*)(const Value&, const Bound&, Rendering&);
struct FilterEntry {
  std::string_view name;
  std::vector<const char*> parameters;
  Filter run;
};

Value to_integer(const Value& value, int64_t otherwise, Rendering& rendering) {
  if (value.is_float()) {
    if (!(std::abs(value.number()) < 9e18)) fail_unsupported("an int beyond 64 bits");
    return Value(static_cast<int64_t>(value.number()));
  }
  if (value.is_number()) return Value(value.integer());
  if (!value.is_string()) return Value(otherwise);
  rendering.bytes(value.string()->size());
  const std::string_view text = strip_left(strip_right(*value.string()));
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return Value(number);
  if (text.find_first_of("0123456789") != std::string_view::npos)
    fail_unsupported("int of the text \"" + Undefined(text).name + '"');
  return Value(otherwise);
}

Value join(const Value& value, const Bound& given, Rendering& rendering) {
  const std::string* separator = given.optional_string(0);
  const std::string* name = given.optional_string(1);
  std::string text;
  bool first = true;
  for (const Value& one : iterate(value, rendering)) {
    rendering.step();
    if (!std::exchange(first, false) && separator != nullptr) {
      rendering.bytes(separator->size());
      text += *separator;
    }
    text += to_text(name != nullptr ? attribute(one, *name, rendering) : one, rendering);
  }
  return rendering.string(std::move(text));
}

Value unique(const Value& value, Rendering& rendering) {
  List kept;
  for (const Value& one : iterate(value, rendering)) {
    rendering.step();
    const auto same = [&](const Value& other) {
      if (one.is_string()) fail_unsupported("\"unique\" of strings");
      return equal(one, other, rendering);
    };
    if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(one);
  }
  return Value(std::move(kept));
}

Value reversed(const Value& value, Rendering& rendering) {
  if (value.is_string()) return slice(value, {std::nullopt, std::nullopt, -1}, rendering);
  List items = iterate(value, rendering);
  std::reverse(items.begin(), items.end());
  return Value(std::move(items));
}

Value entries_of(const Value& value, Rendering& rendering) {
  if (value.is_undefined()) return Value(List{});
  if (value.dict() == nullptr) fail_type("items of " + std::string(value.type_name()) + ", expected a dict");
  List items;
  for (const auto& [key, entry] : *value.dict()) {
    rendering.text(key.size() + sizeof(Value));
    rendering.values(3);
    items.push_back(Value(List{Value(key), entry}));
  }
  return Value(std::move(items));
}

Value json_of(const Value& value, const Bound& given, Rendering& rendering) {
  if (given.flag(0, false)) fail_unsupported("tojson with ensure_ascii");
  return rendering.string(to_json(value, given.integer(1, -1), rendering));
}

Value absolute_of(const Value& value) {
  if (value.is_float()) return Value(std::abs(value.number()));
  if (!value.is_number()) fail_type("abs of " + std::string(value.type_name()));
  return Value(absolute(value.integer()));
}

Value end_of(const Value& value, bool last, Rendering& rendering) {
  const char* what = last ? "the last item" : "the first item";
  if (const auto* text = value.string()) {
    const Characters characters(*text, rendering);
    if (characters.size() == 0) return Undefined{what};
    return rendering.string(characters[last ? characters.size() - 1 : 0]);
  }
  const List items = iterate(value, rendering);
  if (items.empty()) return Undefined{what};
  return last ? items.back() : items.front();
}

Value trimmed(const Value& value, const Bound& given, Rendering& rendering) {
  const std::string text = to_text(value, rendering);
  const std::string* characters = given.optional_string(0);
  if (characters == nullptr) return rendering.string(strip_left(strip_right(text)));
  const CharacterSet set(*characters, rendering);
  return rendering.string(set.strip_left(set.strip_right(text)));
}

Value length_of(const Value& value, const Bound&, Rendering& rendering) {
  return Value(static_cast<int64_t>(length(value, rendering)));
}

const std::vector<FilterEntry>& filters() {
  static const std::vector<FilterEntry> kFilters{
      {"trim", {"chars"}, trimmed},
      {"length", {}, length_of},
      {"count", {}, length_of},
      {"tojson", {"ensure_ascii", "indent"}, json_of},
      {"upper", {}, [](auto& v, auto&, auto& r) { return r.string(upper(to_text(v, r))); }},
      {"lower", {}, [](auto& v, auto&, auto& r) { return r.string(lower(to_text(v, r))); }},
      {"capitalize", {}, [](auto& v, auto&, auto& r) { return r.string(capitalize(to_text(v, r))); }},
      {"first", {}, [](auto& v, auto&, auto& r) { return end_of(v, false, r); }},
      {"last", {}, [](auto& v, auto&, auto& r) { return end_of(v, true, r); }},
      {"join", {"d", "attribute"}, join},
      {"list", {}, [](auto& v, auto&, auto& r) { return Value(iterate(v, r)); }},
      {"string", {}, [](auto& v, auto&, auto& r) { return r.string(to_text(v, r)); }},
      {"int", {"default"}, [](auto& v, auto& a, auto& r) { return to_integer(v, a.integer(0, 0), r); }},
      {"abs", {}, [](auto& v, auto&, auto&) { return absolute_of(v); }},
      {"replace",
       {"old", "new", "count"},
       [](auto& v, auto& a, auto& r) { return replace(to_text(v, r), a.string(0), a.string(1), a.integer(2, -1), r); }},
      {"items", {}, [](auto& v, auto&, auto& r) { return entries_of(v, r); }},
      {"reverse", {}, [](auto& v, auto&, auto& r) { return reversed(v, r); }},
      {"unique", {}, [](auto& v, auto&, auto& r) { return unique(v, r); }},
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
  const size_t first = std::min(count, arguments.positional.size());
  return {List(arguments.positional.begin() + static_cast<ptrdiff_t>(first), arguments.positional.end()), {}};
}

const std::string& name_argument(const std::string& filter, const Arguments& arguments, size_t index) {
  if (index >= arguments.positional.size() || !arguments.positional[index].is_string()) {
    fail_type(filter + "() needs a name");
  }
  return *arguments.positional[index].string();
}

// "a.b" is looked up step by step.
Value path_of(Value value, std::string_view path, Rendering& rendering) {
  for (;;) {
    rendering.step();
    const size_t dot = path.find('.');
    value = attribute(value, std::string(path.substr(0, dot)), rendering);
    if (dot == std::string_view::npos) return value;
    path.remove_prefix(dot + 1);
  }
}

// select, reject, and with the name of an attribute before the test selectattr, rejectattr.
Value select(const std::string& filter, const Value& value, const Arguments& arguments, Rendering& rendering) {
  if (!arguments.named.empty()) fail_unsupported("a named argument of " + filter + "()");
  const bool by_attribute = filter.ends_with("attr");
  const bool wanted = filter.starts_with("select");
  const size_t skipped = by_attribute ? 1 : 0;
  const Arguments rest = rest_of(arguments, skipped + 1);
  List kept;
  for (const Value& one : iterate(value, rendering)) {
    rendering.step();
    const Value tested = by_attribute ? path_of(one, name_argument(filter, arguments, 0), rendering) : one;
    const bool passed = arguments.positional.size() == skipped
                            ? truth(tested)
                            : apply_test(name_argument(filter, arguments, skipped), tested, rest, rendering);
    if (passed == wanted) kept.push_back(one);
  }
  return Value(std::move(kept));
}

Value map(const Value& value, const Arguments& arguments, Rendering& rendering) {
  const Value* name = find(arguments.named, "attribute");
  if (name == nullptr && !arguments.named.empty()) fail_unsupported("a named argument of map()");
  if (name != nullptr && (arguments.named.size() > 1 || !name->is_string())) fail_unsupported("map() in this form");
  const Arguments rest = rest_of(arguments, 1);
  List made;
  for (const Value& one : iterate(value, rendering)) {
    rendering.step();
    made.push_back(name != nullptr ? path_of(one, *name->string(), rendering)
                                   : apply_filter(name_argument("map", arguments, 0), one, rest, rendering));
  }
  return Value(std::move(made));
}

bool compare(const std::string& name, const Value& value, const Arguments& arguments, Rendering& rendering) {
  if (arguments.positional.size() != 1 || !arguments.named.empty()) fail_type("\"" + name + "\" takes one argument");
  const Value& other = arguments.positional.front();
  if (name == "eq" || name == "equalto" || name == "==") return equal(value, other, rendering);
  if (name == "ne" || name == "!=") return !equal(value, other, rendering);
  if (name == "lt" || name == "lessthan" || name == "<") return less(value, other, rendering);
  if (name == "gt" || name == "greaterthan" || name == ">") return less(other, value, rendering);
  if (name == "le" || name == "<=") return !less(other, value, rendering);
  if (name == "ge" || name == ">=") return !less(value, other, rendering);
  if (name == "in") return contains(other, value, rendering);
  if (name == "divisibleby") {
    if (!value.is_number() || value.is_float() || !other.is_integer() || other.integer() == 0) {
      fail_type("\"divisibleby\" takes whole numbers");
    }
    return modulo(value.integer(), other.integer()) == 0;
  }
  fail_unsupported("the test \"" + Undefined(name).name + "\"");
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
    const auto get = [value](const Arguments& given, Rendering& rendering) {
      static const std::vector<const char*> kParameters{"key", "default"};
      const Bound bound("get", kParameters, given);
      const Value* found = bound.value(0).is_string() ? rendering.find(*value.dict(), bound.string(0)) : nullptr;
      if (found != nullptr) return *found;
      return bound.has(1) ? bound.value(1) : Value(None{});
    };
    return Function{name, get, value.depth()};
  }
  const auto all = [value, name](const Arguments& given, Rendering& rendering) {
    if (!given.positional.empty() || !given.named.empty()) fail_type(name + "() takes no arguments");
    if (name == "items") return entries_of(value, rendering);
    if (name == "keys") return Value(iterate(value, rendering));
    rendering.values(value.dict()->size());
    List items;
    for (const auto& [key, entry] : *value.dict()) items.push_back(entry);
    return Value(std::move(items));
  };
  return Function{name, all, value.depth()};
}

template <size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr size_t kLookupBytes = 128;  // a method that is bound to its value, or the name of what is not there
constexpr std::array<std::string_view, 4> kDictMethods{"get", "items", "keys", "values"};
constexpr std::array<std::string_view, 7> kOtherDictMethods{"clear",   "copy",       "fromkeys", "pop",
                                                            "popitem", "setdefault", "update"};
constexpr std::array<std::string_view, 11> kListMethods{"append", "clear", "copy",   "count",   "extend", "index",
                                                        "insert", "pop",   "remove", "reverse", "sort"};

}  // namespace

Value apply_filter(const std::string& name, const Value& value, const Arguments& arguments, Rendering& rendering) {
  rendering.step();
  if (name == "default" || name == "d") {
    static const std::vector<const char*> kParameters{"default_value", "boolean"};
    return default_of(value, Bound(name, kParameters, arguments));
  }
  if (name == "map") return map(value, arguments, rendering);
  if (name == "select" || name == "reject" || name == "selectattr" || name == "rejectattr") {
    return select(name, value, arguments, rendering);
  }
  for (const FilterEntry& entry : filters()) {
    if (entry.name == name) return entry.run(value, Bound(name, entry.parameters, arguments), rendering);
  }
  fail_unsupported("the filter \"" + Undefined(name).name + "\"");
}

bool apply_test(const std::string& name, const Value& value, const Arguments& arguments, Rendering& rendering) {
  rendering.step();
  for (const TestEntry& entry : kTests) {
    if (entry.name != name || entry.holds == nullptr) continue;
    if (!arguments.positional.empty() || !arguments.named.empty()) fail_type("\"" + name + "\" takes no arguments");
    return entry.holds(value);
  }
  if (arguments.positional.empty()) fail_unsupported("the test \"" + Undefined(name).name + "\"");
  return compare(name, value, arguments, rendering);
}

Value attribute(const Value& value, const std::string& name, Rendering& rendering) {
  rendering.bytes(kLookupBytes);
  if (value.is_undefined()) {
    fail_type("\"" + value.undefined().name + "\" is undefined, and \"." + Undefined(name).name + "\" asks for more");
  }
  const auto entry_of = [&](const Dict& entries) {
    const Value* found = rendering.find(entries, name);
    return found != nullptr ? *found : Value(Undefined{name});
  };
  if (const auto* entries = value.dict()) {
    if (is_one_of(kDictMethods, name)) return dict_method(value, name);
    if (is_one_of(kOtherDictMethods, name)) fail_unsupported("the method \"" + name + "\" of a dict");
    return entry_of(*entries);
  }
  if (const Namespace* held = value.name_space()) return entry_of(held->fields);
  if (value.is_string()) {
    const auto method = string_method(value, name);
    return method ? *method : Value(Undefined{name});
  }
  if (value.list() != nullptr && is_one_of(kListMethods, name)) {
    fail_unsupported("the method \"" + name + "\" of a list");
  }
  return Undefined{name};
}

Value item(const Value& value, const Value& index, Rendering& rendering) {
  if (value.is_undefined()) fail_type("\"" + value.undefined().name + "\" is undefined and has no items");
  if (index.is_string()) {
    if (const auto* entries = value.dict()) {
      if (const Value* found = rendering.find(*entries, *index.string())) return *found;
    }
    return attribute(value, *index.string(), rendering);
  }
  if (!index.is_integer() && !index.is_bool()) return Undefined{"an item"};
  // The place that counts from the front, or the size where there is none.
  const auto place_in = [&](size_t size) {
    const int64_t place = index.integer() < 0 ? index.integer() + static_cast<int64_t>(size) : index.integer();
    return place < 0 ? size : std::min(static_cast<size_t>(place), size);
  };
  if (const auto* items = value.list()) {
    if (const size_t place = place_in(items->size()); place < items->size()) return (*items)[place];
  } else if (const auto* text = value.string()) {
    const Characters characters(*text, rendering);
    if (const size_t place = place_in(characters.size()); place < characters.size()) {
      return rendering.string(characters[place]);
    }
  }
  return Undefined{"item " + std::to_string(index.integer())};
}

}  // namespace vsr::chat::jinja
