#include "chat/jinja_strings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "chat/jinja_arguments.h"
#include "chat/jinja_lexer.h"

namespace vsr::chat::jinja {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Python's case mapping beyond ASCII needs tables that vsr has no other use for.
void need_ascii(std::string_view text, const char* method) {
  if (!is_ascii(text)) fail_unsupported(std::string(method) + "() of text beyond ASCII");
}

char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
bool is_letter(char c) { return to_upper(c) != base::ascii_lower(c); }

std::optional<char32_t> read_code(std::string_view digits, int base) {
  uint32_t code = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, base);
  const bool valid = error == std::errc() && end == digits.data() + digits.size() && !digits.empty() &&
                     code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return valid ? std::optional<char32_t>(code) : std::nullopt;
}

size_t coded_digits(char kind) { return kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0; }

// str.split() without a separator: runs of white space separate.
List split_space(std::string_view text, int64_t most) {
  List parts;
  for (text = strip_left(text); !text.empty(); text = strip_left(text)) {
    if (most == 0) {
      parts.emplace_back(strip_right(text));
      break;
    }
    size_t end = 0;
    while (end < text.size()) {
      const base::Decoded c = base::decode_utf8(text.substr(end));
      if (is_space(c.code_point)) break;
      end += c.size;
    }
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
    --most;
  }
  return parts;
}

List split_at(std::string_view text, std::string_view separator, int64_t most) {
  if (separator.empty()) fail_type("split(): the separator is empty");
  List parts;
  for (size_t at = text.find(separator); at != std::string_view::npos && most != 0; at = text.find(separator)) {
    parts.emplace_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
    --most;
  }
  parts.emplace_back(text);
  return parts;
}

List split_from_right(std::string_view text, std::string_view separator, int64_t most) {
  if (separator.empty()) fail_type("rsplit(): the separator is empty");
  List parts;
  for (size_t at = text.rfind(separator); at != std::string_view::npos && most != 0; at = text.rfind(separator)) {
    parts.emplace_back(text.substr(at + separator.size()));
    text = text.substr(0, at);
    --most;
  }
  parts.emplace_back(text);
  std::reverse(parts.begin(), parts.end());
  return parts;
}

// The position in characters, or -1.
int64_t find_character(std::string_view text, std::string_view part) {
  const size_t at = text.find(part);
  if (at == std::string_view::npos) return -1;
  return static_cast<int64_t>(length(Value(text.substr(0, at))));
}

int64_t count_parts(std::string_view text, std::string_view part) {
  if (part.empty()) return static_cast<int64_t>(length(Value(text))) + 1;
  int64_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

using Affix = bool (std::string_view::*)(std::string_view) const noexcept;

// startswith() and endswith() take one string or a tuple of them.
bool has_affix(std::string_view text, const Value& affix, bool at_end) {
  if (affix.list() != nullptr) {
    return std::any_of(affix.list()->begin(), affix.list()->end(),
                       [&](const Value& one) { return has_affix(text, one, at_end); });
  }
  if (!affix.is_string()) fail_type("startswith() and endswith() take a str, not " + std::string(affix.type_name()));
  return at_end ? text.ends_with(*affix.string()) : text.starts_with(*affix.string());
}

using Method = Value (*)(std::string_view, const Bound&, Limits&);
struct MethodEntry {
  std::string_view name;
  std::vector<const char*> parameters;
  Method run;
};

Value strip_method(std::string_view text, const Bound& given, bool left, bool right) {
  const std::string* characters = given.optional_string(0);
  if (left) text = strip_left(text, characters);
  if (right) text = strip_right(text, characters);
  return Value(text);
}

Value split_method(std::string_view text, const Bound& given, Limits& limits, bool from_right) {
  const std::string* separator = given.optional_string(0);
  const int64_t most = given.integer(1, -1);
  if (separator == nullptr && from_right && most >= 0) fail_unsupported("rsplit() at white space with a limit");
  limits.bytes(text.size());
  if (separator == nullptr) return limits.list(split_space(text, most));
  return limits.list(from_right ? split_from_right(text, *separator, most) : split_at(text, *separator, most));
}

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> kMethods{
      {"startswith", {"prefix"}, [](auto text, auto& a, auto&) { return Value(has_affix(text, a.value(0), false)); }},
      {"endswith", {"suffix"}, [](auto text, auto& a, auto&) { return Value(has_affix(text, a.value(0), true)); }},
      {"strip", {"chars"}, [](auto text, auto& a, auto&) { return strip_method(text, a, true, true); }},
      {"lstrip", {"chars"}, [](auto text, auto& a, auto&) { return strip_method(text, a, true, false); }},
      {"rstrip", {"chars"}, [](auto text, auto& a, auto&) { return strip_method(text, a, false, true); }},
      {"split", {"sep", "maxsplit"}, [](auto text, auto& a, auto& l) { return split_method(text, a, l, false); }},
      {"rsplit", {"sep", "maxsplit"}, [](auto text, auto& a, auto& l) { return split_method(text, a, l, true); }},
      {"removeprefix",
       {"prefix"},
       [](auto text, auto& a, auto&) {
         return Value(text.starts_with(a.string(0)) ? text.substr(a.string(0).size()) : text);
       }},
      {"removesuffix",
       {"suffix"},
       [](auto text, auto& a, auto&) {
         return Value(text.ends_with(a.string(0)) ? text.substr(0, text.size() - a.string(0).size()) : text);
       }},
      {"replace",
       {"old", "new", "count"},
       [](auto text, auto& a, auto& l) { return replace(text, a.string(0), a.string(1), a.integer(2, -1), l); }},
      {"find", {"sub"}, [](auto text, auto& a, auto&) { return Value(find_character(text, a.string(0))); }},
      {"count", {"sub"}, [](auto text, auto& a, auto&) { return Value(count_parts(text, a.string(0))); }},
      {"upper", {}, [](auto text, auto&, auto&) { return Value(upper(text)); }},
      {"lower", {}, [](auto text, auto&, auto&) { return Value(lower(text)); }},
      {"title", {}, [](auto text, auto&, auto&) { return Value(title(text)); }},
      {"capitalize", {}, [](auto text, auto&, auto&) { return Value(capitalize(text)); }},
  };
  return kMethods;
}

// Python's other ones: a template that asks for one is not to read "undefined".
bool is_other_method(const std::string& name) {
  static const std::vector<std::string_view> kOthers{
      "casefold",    "center",  "encode",  "expandtabs", "find",       "format",       "format_map", "index",
      "isalnum",     "isalpha", "isascii", "isdecimal",  "isdigit",    "isidentifier", "islower",    "isnumeric",
      "isprintable", "isspace", "istitle", "isupper",    "join",       "ljust",        "maketrans",  "partition",
      "rfind",       "rindex",  "rjust",   "rpartition", "splitlines", "swapcase",     "translate",  "zfill"};
  return std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end();
}

void append_json_string(std::string& out, std::string_view text) {
  constexpr std::array<std::pair<char, const char*>, 7> kShort{
      {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}, {'\f', "\\f"}, {'\b', "\\b"}}};
  out += '"';
  for (const char c : text) {
    const auto found = std::find_if(kShort.begin(), kShort.end(), [c](const auto& one) { return one.first == c; });
    if (found != kShort.end()) {
      out += found->second;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr const char* kHex = "0123456789abcdef";
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

// The elements of an array or object, each written by `write(i)`.
template <class Write>
void append_json_items(std::string& out, std::string_view brackets, size_t count, int64_t indent, size_t depth,
                       Write&& write) {
  const auto new_line = [&](size_t levels) {
    if (indent >= 0) out += '\n' + std::string(static_cast<size_t>(indent) * levels, ' ');
  };
  out += brackets[0];
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) out += indent < 0 ? ", " : ",";
    new_line(depth + 1);
    write(i);
  }
  if (count > 0) new_line(depth);
  out += brackets[1];
}

void append_json(std::string& out, const Value& value, int64_t indent, size_t depth) {
  if (depth > 64) fail_type("a value is nested too deeply for tojson");
  if (const auto* text = value.string()) {
    append_json_string(out, *text);
  } else if (const auto* items = value.list()) {
    append_json_items(out, "[]", items->size(), indent, depth,
                      [&](size_t i) { append_json(out, (*items)[i], indent, depth + 1); });
  } else if (const auto* entries = value.dict()) {
    append_json_items(out, "{}", entries->size(), indent, depth, [&](size_t i) {
      append_json_string(out, (*entries)[i].first);
      out += ": ";
      append_json(out, (*entries)[i].second, indent, depth + 1);
    });
  } else if (value.is_none()) {
    out += "null";
  } else if (value.is_bool()) {
    out += value.integer() != 0 ? "true" : "false";
  } else if (value.is_number()) {
    out += to_text(value);
  } else {
    fail_type(std::string(value.type_name()) + " is nothing that tojson writes");
  }
}

}  // namespace

bool unescape(std::string_view literal, std::string& out) {
  constexpr std::string_view kFrom = "ntrabfv\\'\"";
  constexpr std::string_view kTo = "\n\t\r\a\b\f\v\\'\"";
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\' || i + 1 == literal.size()) {
      out += literal[i];
      continue;
    }
    const char kind = literal[++i];
    if (const size_t known = kFrom.find(kind); known != std::string_view::npos) {
      out += kTo[known];
    } else if (const size_t digits = coded_digits(kind); digits > 0) {
      const auto code = read_code(literal.substr(i + 1, digits), 16);
      if (!code || i + digits >= literal.size()) return false;
      base::append_utf8(out, *code);
      i += digits;
    } else if (kind == 'N' || (kind >= '0' && kind <= '7')) {
      return false;
    } else if (kind != '\n') {
      out += '\\';
      out += kind;
    }
  }
  return true;
}

Value slice(const Value& value, const SliceBounds& bounds, Limits& limits) {
  if (value.list() == nullptr && !value.is_string()) fail_type(std::string(value.type_name()) + " has no slices");
  if (bounds.step == 0) fail_type("the step of a slice is 0");
  const List items = iterate(value, limits);
  const auto size = static_cast<int64_t>(items.size());
  const bool back = bounds.step < 0;
  const auto clamp = [&](std::optional<int64_t> given, int64_t otherwise) {
    if (!given) return otherwise;
    const int64_t index = *given < 0 ? std::max<int64_t>(*given, -size - 1) + size : *given;
    return std::clamp<int64_t>(index, back ? -1 : 0, back ? size - 1 : size);
  };
  const int64_t start = clamp(bounds.start, back ? size - 1 : 0);
  const int64_t stop = clamp(bounds.stop, back ? -1 : size);
  const int64_t step = std::clamp<int64_t>(bounds.step, -size - 1, size + 1);
  List kept;
  for (int64_t i = start; back ? i > stop : i < stop; i += step) kept.push_back(items[static_cast<size_t>(i)]);
  if (value.list() != nullptr) return limits.list(std::move(kept));
  std::string text;
  for (const Value& character : kept) text += *character.string();
  return limits.string(std::move(text));
}

std::optional<Value> string_method(const Value& text, const std::string& name) {
  for (const MethodEntry& entry : methods()) {
    if (entry.name != name) continue;
    return Value(Function{name, [text, &entry](const Arguments& given, Limits& limits) {
                            const Bound bound(std::string(entry.name), entry.parameters, given);
                            limits.bytes(text.string()->size());
                            return entry.run(*text.string(), bound, limits);
                          }});
  }
  if (is_other_method(name)) fail_unsupported("the method \"" + name + "\" of a str");
  return std::nullopt;
}

std::string upper(std::string_view text) {
  need_ascii(text, "upper");
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), to_upper);
  return out;
}

std::string lower(std::string_view text) {
  need_ascii(text, "lower");
  return base::ascii_lower(text);
}

std::string title(std::string_view text) {
  need_ascii(text, "title");
  std::string out(text);
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = i > 0 && is_letter(out[i - 1]) ? base::ascii_lower(out[i]) : to_upper(out[i]);
  }
  return out;
}

std::string capitalize(std::string_view text) {
  std::string out = lower(text);
  if (!out.empty()) out[0] = to_upper(out[0]);
  return out;
}

Value replace(std::string_view text, std::string_view from, std::string_view to, int64_t count, Limits& limits) {
  if (from.empty()) fail_unsupported("replace() of an empty string");
  std::string out;
  for (size_t at = text.find(from); at != std::string_view::npos && count != 0; at = text.find(from)) {
    limits.bytes(at + to.size());
    out.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
    --count;
  }
  limits.bytes(text.size());
  return Value(out.append(text));
}

std::string to_json(const Value& value, int64_t indent) {
  std::string out;
  append_json(out, value, indent, 0);
  return out;
}

}  // namespace vsr::chat::jinja
