#include "text/regex/regex_reader.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace vsr::text {
namespace {

constexpr int kMostDepth = 50;
constexpr size_t kMostBytes = 65'536;
constexpr size_t kShownBytes = 160;

struct Property {
  std::string_view name;
  uint32_t categories;
};
constexpr std::array kProperties = {
    Property{"L", kLetterCategories},
    Property{"Letter", kLetterCategories},
    Property{"M", kMarkCategories},
    Property{"N", kNumberCategories},
    Property{"P", kPunctuationCategories},
    Property{"S", kSymbolCategories},
    Property{"Z", kSeparatorCategories},
    Property{"Lu", 1u << kLu},
    Property{"Ll", 1u << kLl},
    Property{"Lt", 1u << kLt},
    Property{"Lm", 1u << kLm},
    Property{"Lo", 1u << kLo},
    Property{"Mn", 1u << kMn},
    Property{"Mc", 1u << kMc},
    Property{"Me", 1u << kMe},
    Property{"Nd", 1u << kNd},
    Property{"Nl", 1u << kNl},
    Property{"No", 1u << kNo},
    Property{"Pc", 1u << kPc},
    Property{"Pd", 1u << kPd},
    Property{"Ps", 1u << kPs},
    Property{"Pe", 1u << kPe},
    Property{"Pi", 1u << kPi},
    Property{"Pf", 1u << kPf},
    Property{"Po", 1u << kPo},
    Property{"Sm", 1u << kSm},
    Property{"Sc", 1u << kSc},
    Property{"Sk", 1u << kSk},
    Property{"So", 1u << kSo},
    Property{"Zs", 1u << kZs},
    Property{"Zl", 1u << kZl},
    Property{"Zp", 1u << kZp},
    Property{"Cc", 1u << kCc},
    Property{"Cf", 1u << kCf},
    Property{"Co", 1u << kCo},
};

}  // namespace

RegexReader::RegexReader(const std::string& expression, const base::JsonValue& where)
    : text_(expression), where_(where) {
  if (text_.size() > kMostBytes) refuse("such a size");
  if (base::CleanText(text_).replaced_bytes() > 0) refuse("no UTF-8");
}

void RegexReader::refuse(const std::string& what) const {
  const std::string shown = text_.size() > kShownBytes ? text_.substr(0, kShownBytes) + "..." : text_;
  where_.fail_unsupported("is \"" + shown + "\", of which vsr does not implement " + what);
}

bool RegexReader::accept(std::string_view wanted) {
  if (!peek(wanted)) return false;
  at_ += wanted.size();
  return true;
}

void RegexReader::enter() {
  if (++depth_ > kMostDepth) refuse("such deep nesting");
}

char32_t RegexReader::character() {
  if (at_ >= text_.size()) refuse("an end in the middle");
  const base::Decoded c = base::decode_utf8(std::string_view(text_).substr(at_));
  at_ += c.size;
  return c.code_point;
}

void RegexReader::literal(CharacterSet& set, char32_t c) {
  set.add(c, c);
  if (!ignores_case_) return;
  if (c >= 128) refuse("case of other letters than a to z");
  const char32_t lower = c >= 'A' && c <= 'Z' ? c + 32 : c;
  // One character may fold to these two: ss, st, ff, fi, fl.
  const char32_t before = last_literal_;
  if ((before == 's' && (lower == 's' || lower == 't')) ||
      (before == 'f' && (lower == 'f' || lower == 'i' || lower == 'l'))) {
    refuse("letters that are one character in another case");
  }
  last_literal_ = lower;
  add_case(set, lower, lower);
}

void RegexReader::add_case(CharacterSet& set, char32_t first, char32_t last) {
  for (char32_t c = first; c <= last && c < 128; ++c) {
    if (c >= 'a' && c <= 'z') set.add(c - 32, c - 32);
    if (c >= 'A' && c <= 'Z') set.add(c + 32, c + 32);
    if (c == 's' || c == 'S') set.add(0x17F, 0x17F);
    if (c == 'k' || c == 'K') set.add(0x212A, 0x212A);
  }
}

CharacterSet RegexReader::character_class() {
  enter();
  CharacterSet set;
  const bool is_negated = accept("^");
  if (peek("]")) refuse("a ] at the front of a class");
  while (!accept("]")) {
    if (at_ >= text_.size()) refuse("a [ without ]");
    if (peek("[:") || peek("&&")) refuse("this kind of character class");
    if (accept("[")) {
      set.add(character_class());
    } else {
      class_item(set);
    }
  }
  leave();
  if (ignores_case_) {
    if (set.has_properties()) refuse("character properties where case is ignored");
    for (const auto& [first, last] : std::vector(set.ranges())) {
      if (last >= 128) refuse("case of other letters than a to z");
      add_case(set, first, last);
    }
  }
  if (is_negated) set.negate();
  last_literal_ = 0;
  return set;
}

void RegexReader::class_item(CharacterSet& set) {
  char32_t first = 0;
  if (accept("\\")) {
    CharacterSet escaped;
    const std::optional<char32_t> c = escape(escaped, true);
    if (!c) {
      set.add(std::move(escaped));
      return;
    }
    first = *c;
  } else {
    first = character();
  }
  char32_t last = first;
  if (peek("-") && !peek("-]")) {
    accept("-");
    if (peek("[")) refuse("this kind of range");
    if (accept("\\")) {
      CharacterSet escaped;
      const std::optional<char32_t> c = escape(escaped, true);
      if (!c) refuse("this kind of range");
      last = *c;
    } else {
      last = character();
    }
    if (last < first) refuse("a range that runs backwards");
  }
  set.add(first, last);
}

char32_t RegexReader::hexadecimal(size_t digits) {
  char32_t value = 0;
  for (size_t i = 0; i < digits; ++i) {
    const char c = at_ < text_.size() ? text_[at_++] : '?';
    const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
    if (!((lower >= '0' && lower <= '9') || (lower >= 'a' && lower <= 'f'))) refuse("this escape");
    value = value * 16 + static_cast<char32_t>(lower <= '9' ? lower - '0' : lower - 'a' + 10);
  }
  return value;
}

std::optional<char32_t> RegexReader::escape(CharacterSet& set, bool in_class) {
  const char32_t c = character();
  if (c == 's' || c == 'S') set.add_space();
  if (c == 'd' || c == 'D') set.add_categories(category_bit(kNd));
  if (c == 'w' || c == 'W') set.add_word(in_class);
  if (c == 'p' || c == 'P') property(set);
  if (c == 'S' || c == 'D' || c == 'W' || c == 'P') set.negate();
  if (c == 's' || c == 'S' || c == 'd' || c == 'D' || c == 'w' || c == 'W' || c == 'p' || c == 'P') {
    if (ignores_case_) refuse("character properties where case is ignored");
    last_literal_ = 0;
    return std::nullopt;
  }
  const char32_t value = escaped_character(c);
  if (in_class) return value;
  literal(set, value);
  return value;
}

char32_t RegexReader::escaped_character(char32_t c) {
  switch (c) {
    case 'n':
      return U'\n';
    case 'r':
      return U'\r';
    case 't':
      return U'\t';
    case 'f':
      return U'\f';
    case 'v':
      return U'\v';
    case 'a':
      return 7;
    case 'e':
      return 27;
    case 'u':
      return hexadecimal(4);
    case 'x': {
      if (!accept("{")) {
        const char32_t value = hexadecimal(2);
        if (value >= 0x80) refuse("a byte that is no character");
        return value;
      }
      const size_t end = text_.find('}', at_);
      if (end == std::string::npos || end == at_ || end - at_ > 6) refuse("this escape");
      const char32_t value = hexadecimal(end - at_);
      accept("}");
      if (value > 0x10FFFF) refuse("this escape");
      return value;
    }
    default:
      break;
  }
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c >= 128) refuse("this escape");
  return c;
}

void RegexReader::property(CharacterSet& set) {
  if (!accept("{")) refuse("a property without {");
  const bool is_negated = accept("^");
  const size_t end = text_.find('}', at_);
  if (end == std::string::npos) refuse("a property without }");
  const std::string name = text_.substr(at_, end - at_);
  at_ = end + 1;
  const auto known =
      std::find_if(kProperties.begin(), kProperties.end(), [&](const Property& p) { return p.name == name; });
  if (known == kProperties.end()) refuse("the property " + name);
  set.add_categories(known->categories);
  if (is_negated) set.negate();
}

}  // namespace vsr::text
