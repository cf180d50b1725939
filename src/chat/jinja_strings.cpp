#include "chat/jinja_strings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/ascii.h"
#include "base/utf8.h"
#include "chat/jinja_arguments.h"
#include "chat/jinja_text.h"

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
List split_space(std::string_view text, int64_t most, Rendering& rendering) {
  List parts;
  for (text = strip_left(text); !text.empty(); text = strip_left(text)) {
    if (most == 0) {
      rendering.append(parts, strip_right(text));
      break;
    }
    size_t end = 0;
    while (end < text.size()) {
      const base::Decoded c = base::decode_utf8(text.substr(end));
      if (is_space(c.code_point)) break;
      end += c.size;
    }
    rendering.append(parts, text.substr(0, end));
    text.remove_prefix(end);
    if (most > 0) --most;
  }
  return parts;
}

List split_at(std::string_view text, std::string_view separator, int64_t most, Rendering& rendering) {
  List parts;
  while (most != 0) {
    const size_t at = find_text(text, separator, rendering);
    if (at == std::string_view::npos) break;
    rendering.append(parts, text.substr(0, at));
    text.remove_prefix(at + separator.size());
    if (most > 0) --most;
  }
  rendering.append(parts, text);
  return parts;
}

// The text is searched from its end: backwards in the reversed text.
List split_from_right(std::string_view text, std::string_view separator, int64_t most, Rendering& rendering) {
  const std::string reversed(text.rbegin(), text.rend());
  const std::string sought(separator.rbegin(), separator.rend());
  List parts;
  while (most != 0) {
    const std::string_view rest = std::string_view(reversed).substr(reversed.size() - text.size());
    const size_t at = find_text(rest, sought, rendering);
    if (at == std::string_view::npos) break;
    rendering.append(parts, text.substr(text.size() - at));
    text.remove_suffix(at + separator.size());
    if (most > 0) --most;
  }
  rendering.append(parts, text);
  std::reverse(parts.begin(), parts.end());
  return parts;
}

// The position in characters, or -1.
int64_t find_character(std::string_view text, std::string_view part, Rendering& rendering) {
  const size_t at = find_text(text, part, rendering);
  if (at == std::string_view::npos) return -1;
  return static_cast<int64_t>(count_characters(text.substr(0, at)));
}

int64_t count_parts(std::string_view text, std::string_view part, Rendering& rendering) {
  if (part.empty()) return static_cast<int64_t>(count_characters(text)) + 1;
  int64_t count = 0;
  for (size_t at = find_text(text, part, rendering); at != std::string_view::npos; ++count) {
    text.remove_prefix(at + part.size());
    at = find_text(text, part, rendering);
  }
  return count;
}

// startswith() and endswith() take one string or a tuple of them.
bool has_affix(std::string_view text, const Value& affix, bool at_end, Rendering& rendering) {
  rendering.step();
  if (affix.list() != nullptr) {
    return std::any_of(affix.list()->begin(), affix.list()->end(),
                       [&](const Value& one) { return has_affix(text, one, at_end, rendering); });
  }
  if (!affix.is_string()) fail_type("startswith() and endswith() take a str, not " + std::string(affix.type_name()));
  rendering.bytes(affix.string()->size());
  return at_end ? text.ends_with(*affix.string()) : text.starts_with(*affix.string());
}

using Method = Value (*)(std::string_view, const Bound&, Rendering&);
struct MethodEntry {
  std::string_view name;
  std::vector<const char*> parameters;
  Method run;
};

Value strip_method(std::string_view text, const Bound& given, Rendering& rendering, bool left, bool right) {
  if (const std::string* characters = given.optional_string(0)) {
    const CharacterSet set(*characters, rendering);
    if (left) text = set.strip_left(text);
    if (right) text = set.strip_right(text);
  } else {
    if (left) text = strip_left(text);
    if (right) text = strip_right(text);
  }
  return rendering.string(text);
}

Value split_method(std::string_view text, const Bound& given, Rendering& rendering, bool from_right) {
  const std::string* separator = given.optional_string(0);
  const int64_t most = given.integer(1, -1);
  if (separator == nullptr && from_right && most >= 0) fail_unsupported("rsplit() at white space with a limit");
  if (separator == nullptr) return Value(split_space(text, most, rendering));
  if (separator->empty()) fail_type("split(): the separator is empty");
  return Value(from_right ? split_from_right(text, *separator, most, rendering)
                          : split_at(text, *separator, most, rendering));
}

// What is left of a text without an affix that it has.
Value without(std::string_view text, std::string_view affix, bool at_end, Rendering& rendering) {
  if (!at_end && text.starts_with(affix)) text.remove_prefix(affix.size());
  if (at_end && text.ends_with(affix)) text.remove_suffix(affix.size());
  return rendering.string(text);
}

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> kMethods{
      {"startswith",
       {"prefix"},
       [](auto text, auto& a, auto& r) { return Value(has_affix(text, a.value(0), false, r)); }},
      {"endswith", {"suffix"}, [](auto text, auto& a, auto& r) { return Value(has_affix(text, a.value(0), true, r)); }},
      {"strip", {"chars"}, [](auto text, auto& a, auto& r) { return strip_method(text, a, r, true, true); }},
      {"lstrip", {"chars"}, [](auto text, auto& a, auto& r) { return strip_method(text, a, r, true, false); }},
      {"rstrip", {"chars"}, [](auto text, auto& a, auto& r) { return strip_method(text, a, r, false, true); }},
      {"split", {"sep", "maxsplit"}, [](auto text, auto& a, auto& r) { return split_method(text, a, r, false); }},
      {"rsplit", {"sep", "maxsplit"}, [](auto text, auto& a, auto& r) { return split_method(text, a, r, true); }},
      {"removeprefix", {"prefix"}, [](auto text, auto& a, auto& r) { return without(text, a.string(0), false, r); }},
      {"removesuffix", {"suffix"}, [](auto text, auto& a, auto& r) { return without(text, a.string(0), true, r); }},
      {"replace",
       {"old", "new", "count"},
       [](auto text, auto& a, auto& r) { return replace(text, a.string(0), a.string(1), a.integer(2, -1), r); }},
      {"find", {"sub"}, [](auto text, auto& a, auto& r) { return Value(find_character(text, a.string(0), r)); }},
      {"count", {"sub"}, [](auto text, auto& a, auto& r) { return Value(count_parts(text, a.string(0), r)); }},
      {"upper", {}, [](auto text, auto&, auto& r) { return r.string(upper(text)); }},
      {"lower", {}, [](auto text, auto&, auto& r) { return r.string(lower(text)); }},
      {"title", {}, [](auto text, auto&, auto& r) { return r.string(title(text)); }},
      {"capitalize", {}, [](auto text, auto&, auto& r) { return r.string(capitalize(text)); }},
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

namespace {

// The indices of a slice: `start`, and `count` of them a step apart.
struct SliceRange {
  int64_t start = 0;
  int64_t step = 1;
  int64_t count = 0;
};

SliceRange range_of(const SliceBounds& bounds, int64_t size) {
  const bool back = bounds.step < 0;
  const auto clamp = [&](std::optional<int64_t> given, int64_t otherwise) {
    if (!given) return otherwise;
    const int64_t index = *given < 0 ? std::max<int64_t>(*given, -size - 1) + size : *given;
    return std::clamp<int64_t>(index, back ? -1 : 0, back ? size - 1 : size);
  };
  SliceRange range;
  range.step = std::clamp<int64_t>(bounds.step, -size - 1, size + 1);
  range.start = clamp(bounds.start, back ? size - 1 : 0);
  const int64_t stop = clamp(bounds.stop, back ? -1 : size);
  const int64_t distance = back ? range.start - stop : stop - range.start;
  const int64_t stride = back ? -range.step : range.step;
  if (distance > 0) range.count = (distance - 1) / stride + 1;
  return range;
}

}  // namespace

Value slice(const Value& value, const SliceBounds& bounds, Rendering& rendering) {
  if (value.list() == nullptr && !value.is_string()) fail_type(std::string(value.type_name()) + " has no slices");
  if (bounds.step == 0) fail_type("the step of a slice is 0");
  if (const List* items = value.list()) {
    const SliceRange range = range_of(bounds, static_cast<int64_t>(items->size()));
    rendering.values(static_cast<size_t>(range.count));
    List kept;
    for (int64_t i = 0; i < range.count; ++i) {
      kept.push_back((*items)[static_cast<size_t>(range.start + i * range.step)]);
    }
    return Value(std::move(kept));
  }
  const Characters characters(*value.string(), rendering);
  const SliceRange range = range_of(bounds, static_cast<int64_t>(characters.size()));
  if (range.step == 1 && range.count > 0) {
    return rendering.string(
        characters.range(static_cast<size_t>(range.start), static_cast<size_t>(range.start + range.count)));
  }
  rendering.text(value.string()->size());
  std::string kept;
  for (int64_t i = 0; i < range.count; ++i) kept += characters[static_cast<size_t>(range.start + i * range.step)];
  return Value(std::move(kept));
}

std::optional<Value> string_method(const Value& text, const std::string& name) {
  for (const MethodEntry& entry : methods()) {
    if (entry.name != name) continue;
    return Value(Function{name, [text, &entry](const Arguments& given, Rendering& rendering) {
                            const Bound bound(std::string(entry.name), entry.parameters, given);
                            rendering.bytes(text.string()->size());
                            return entry.run(*text.string(), bound, rendering);
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

Value replace(std::string_view text, std::string_view from, std::string_view to, int64_t count, Rendering& rendering) {
  if (from.empty()) fail_unsupported("replace() of an empty string");
  std::string out;
  while (count != 0) {
    const size_t at = find_text(text, from, rendering);
    if (at == std::string_view::npos) break;
    rendering.text(at + to.size());
    out.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
    if (count > 0) --count;
  }
  rendering.bytes(text.size());
  return Value(out.append(text));
}

}  // namespace vsr::chat::jinja
