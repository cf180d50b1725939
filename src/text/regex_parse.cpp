#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.h"
#include "text/regex.h"

namespace vsr::text {
namespace {

constexpr uint32_t kMostRepeats = 1000;
constexpr size_t kMostSteps = 20'000;
constexpr int kMostDepth = 50;

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

using Steps = std::vector<RegexStep>;

// A piece of the expression: its steps, with targets relative to its first one, and whether it may match nothing.
struct Fragment {
  Steps steps;
  bool may_be_empty = true;
};

class Parser {
 public:
  Parser(const std::string& expression, const base::JsonValue& where) : text_(expression), where_(where) {
    if (base::CleanText(text_).replaced_bytes() > 0) refuse("no UTF-8");
  }

  RegexProgram parse() {
    Fragment whole = alternatives();
    if (at_ < text_.size()) refuse("an unmatched )");
    if (whole.may_be_empty) refuse("that it may match nothing");
    whole.steps.push_back({.kind = RegexStep::kAccept});
    program_.steps = std::move(whole.steps);
    return std::move(program_);
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    where_.fail_unsupported("is \"" + text_ + "\", of which vsr does not implement " + what);
  }

  bool peek(std::string_view wanted) const { return std::string_view(text_).substr(at_).starts_with(wanted); }
  bool accept(std::string_view wanted) {
    if (!peek(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  static void append(Steps& steps, const Steps& more) {
    const uint32_t base = static_cast<uint32_t>(steps.size());
    for (RegexStep step : more) {
      step.target += base;
      steps.push_back(step);
    }
  }

  Fragment alternatives() {
    if (++depth_ > kMostDepth) refuse("such deep nesting");
    const bool ignores_case = ignores_case_;
    std::vector<Fragment> branches = {sequence()};
    while (accept("|")) branches.push_back(sequence());
    ignores_case_ = ignores_case;
    --depth_;
    // split 2nd; 1st; jump end; split 3rd; 2nd; jump end; last
    Fragment all = std::move(branches.back());
    for (size_t i = branches.size() - 1; i-- > 0;) {
      Fragment joined;
      joined.may_be_empty = all.may_be_empty || branches[i].may_be_empty;
      const uint32_t first = static_cast<uint32_t>(branches[i].steps.size());
      joined.steps.push_back({.kind = RegexStep::kSplit, .target = first + 2});
      append(joined.steps, branches[i].steps);
      joined.steps.push_back({.kind = RegexStep::kJump, .target = first + 2 + static_cast<uint32_t>(all.steps.size())});
      append(joined.steps, all.steps);
      all = std::move(joined);
    }
    return all;
  }

  Fragment sequence() {
    Fragment all;
    last_literal_ = 0;
    while (at_ < text_.size() && !peek("|") && !peek(")")) {
      const Fragment item = quantified();
      append(all.steps, item.steps);
      all.may_be_empty = all.may_be_empty && item.may_be_empty;
      if (all.steps.size() > kMostSteps) refuse("such a size");
    }
    last_literal_ = 0;
    return all;
  }

  struct Quantifier {
    uint32_t least, most;
    Greed greed;
  };

  std::optional<Quantifier> quantifier() {
    Quantifier q{0, 0, Greed::kGreedy};
    bool is_counted = false;
    if (accept("?")) {
      q.most = 1;
    } else if (accept("*")) {
      q.most = kUnlimited;
    } else if (accept("+")) {
      q.least = 1;
      q.most = kUnlimited;
    } else if (accept("{")) {
      is_counted = true;
      read_counts(q);
    } else {
      return std::nullopt;
    }
    if (accept("?")) q.greed = Greed::kLazy;
    if (peek("+") && (is_counted || q.greed == Greed::kLazy)) refuse("a quantifier of a quantifier");
    if (accept("+")) q.greed = Greed::kPossessive;
    if (is_counted && q.greed == Greed::kLazy && q.least == q.most) refuse("a lazy exact count");
    if (peek("*") || peek("?") || peek("{") || peek("+")) refuse("a quantifier of a quantifier");
    last_literal_ = 0;
    return q;
  }

  void read_counts(Quantifier& q) {
    const auto number = [&](uint32_t otherwise) {
      if (at_ >= text_.size() || text_[at_] < '0' || text_[at_] > '9') return otherwise;
      uint32_t value = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
        value = value * 10 + static_cast<uint32_t>(text_[at_] - '0');
        if (value > kMostRepeats) refuse("so many repeats");
      }
      return value;
    };
    const size_t begin = at_;
    q.least = number(kUnlimited);
    const bool has_least = q.least != kUnlimited;
    q.most = q.least;
    if (accept(",")) q.most = number(kUnlimited);
    if (!has_least || at_ == begin || !accept("}") || q.most < q.least) refuse("this use of {");
  }

  Fragment quantified() {
    Fragment item = atom();
    const std::optional<Quantifier> q = quantifier();
    if (!q) return item;
    if (item.steps.size() == 1 && item.steps[0].kind == RegexStep::kRun && item.steps[0].least == 1 &&
        item.steps[0].most == 1) {
      item.steps[0].least = q->least;
      item.steps[0].most = q->most;
      item.steps[0].greed = q->greed;
      item.may_be_empty = q->least == 0;
      return item;
    }
    return repeat(item, *q);
  }

  Fragment repeat(const Fragment& item, const Quantifier& q) {
    if (item.may_be_empty) refuse("the repetition of what may match nothing");
    Fragment all;
    all.may_be_empty = q.least == 0;
    for (uint32_t i = 0; i < q.least; ++i) append_checked(all.steps, item.steps);
    const uint32_t size = static_cast<uint32_t>(item.steps.size());
    const Greed greed = q.greed == Greed::kLazy ? Greed::kLazy : Greed::kGreedy;
    if (q.most == kUnlimited) {
      const uint32_t begin = static_cast<uint32_t>(all.steps.size());
      all.steps.push_back({.kind = RegexStep::kSplit, .greed = greed, .target = begin + size + 2});
      append_checked(all.steps, item.steps);
      all.steps.push_back({.kind = RegexStep::kJump, .target = begin});
    } else {
      const uint32_t end = static_cast<uint32_t>(all.steps.size()) + (q.most - q.least) * (size + 1);
      for (uint32_t i = q.least; i < q.most; ++i) {
        all.steps.push_back({.kind = RegexStep::kSplit, .greed = greed, .target = end});
        append_checked(all.steps, item.steps);
      }
    }
    return q.greed == Greed::kPossessive ? enclose(all, {.kind = RegexStep::kAtomic}) : all;
  }

  void append_checked(Steps& steps, const Steps& more) {
    append(steps, more);
    if (steps.size() > kMostSteps) refuse("such a size");
  }

  // Puts steps that end with an accept behind a look-ahead or atomic step.
  static Fragment enclose(const Fragment& inner, RegexStep outer) {
    Fragment all;
    outer.target = static_cast<uint32_t>(inner.steps.size()) + 2;
    all.steps.push_back(outer);
    append(all.steps, inner.steps);
    all.steps.push_back({.kind = RegexStep::kAccept});
    all.may_be_empty = outer.kind == RegexStep::kLookAhead || inner.may_be_empty;
    return all;
  }

  Fragment atom() {
    if (accept("(")) return group();
    if (accept("^")) return {{{.kind = RegexStep::kLineBegin}}, true};
    if (accept("$")) return {{{.kind = RegexStep::kLineEnd}}, true};
    CharacterSet set;
    if (accept("[")) {
      set = character_class();
    } else if (accept(".")) {
      set.add(U'\n', U'\n');
      set.negate();
    } else if (peek("*") || peek("+") || peek("?") || peek("{")) {
      refuse("a quantifier of nothing");
    } else if (accept("\\")) {
      escape(set, false);
    } else {
      literal(set, character());
    }
    return single(std::move(set));
  }

  Fragment single(CharacterSet set) {
    set.finish();
    program_.sets.push_back(std::move(set));
    const uint32_t index = static_cast<uint32_t>(program_.sets.size() - 1);
    return {{{.kind = RegexStep::kRun, .set = index, .least = 1, .most = 1}}, false};
  }

  char32_t character() {
    if (at_ >= text_.size()) refuse("an end in the middle");
    const base::Decoded c = base::decode_utf8(std::string_view(text_).substr(at_));
    at_ += c.size;
    return c.code_point;
  }

  // Adds a character in both cases where case is ignored.
  void literal(CharacterSet& set, char32_t c) {
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

  static void add_case(CharacterSet& set, char32_t first, char32_t last) {
    for (char32_t c = first; c <= last && c < 128; ++c) {
      if (c >= 'a' && c <= 'z') set.add(c - 32, c - 32);
      if (c >= 'A' && c <= 'Z') set.add(c + 32, c + 32);
      if (c == 's' || c == 'S') set.add(0x17F, 0x17F);
      if (c == 'k' || c == 'K') set.add(0x212A, 0x212A);
    }
  }

  Fragment group() {
    const bool ignored_case = ignores_case_;
    enum { kPlain, kAhead, kNotAhead, kBehind, kNotBehind, kAtomicGroup } kind = kPlain;
    if (accept("?:")) {
    } else if (accept("?i:")) {
      ignores_case_ = true;
    } else if (at_ == 1 && accept("?i)")) {
      ignores_case_ = true;
      return {};
    } else if (accept("?=")) {
      kind = kAhead;
    } else if (accept("?!")) {
      kind = kNotAhead;
    } else if (accept("?<=")) {
      kind = kBehind;
    } else if (accept("?<!")) {
      kind = kNotBehind;
    } else if (accept("?>")) {
      kind = kAtomicGroup;
    } else if (peek("?")) {
      refuse("this kind of group");
    }
    Fragment inner = alternatives();
    if (!accept(")")) refuse("a ( without )");
    ignores_case_ = ignored_case;
    if (kind == kPlain) return inner;
    if (kind == kAtomicGroup) return enclose(inner, {.kind = RegexStep::kAtomic});
    if (kind == kAhead || kind == kNotAhead) {
      return enclose(inner, {.kind = RegexStep::kLookAhead, .negative = kind == kNotAhead});
    }
    if (inner.steps.size() != 1 || inner.steps[0].kind != RegexStep::kRun || inner.steps[0].most != 1 ||
        inner.steps[0].least != 1) {
      refuse("looking behind at more than one character");
    }
    return {{{.kind = RegexStep::kLookBehind, .negative = kind == kNotBehind, .set = inner.steps[0].set}}, true};
  }

  CharacterSet character_class() {
    if (++depth_ > kMostDepth) refuse("such deep nesting");
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
    --depth_;
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

  void class_item(CharacterSet& set) {
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

  char32_t hexadecimal(size_t digits) {
    char32_t value = 0;
    for (size_t i = 0; i < digits; ++i) {
      const char c = at_ < text_.size() ? text_[at_++] : '?';
      const char lower = c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c;
      if (!((lower >= '0' && lower <= '9') || (lower >= 'a' && lower <= 'f'))) refuse("this escape");
      value = value * 16 + static_cast<char32_t>(lower <= '9' ? lower - '0' : lower - 'a' + 10);
    }
    return value;
  }

  // What follows a backslash: a single character, which is returned, or a set of them.
  std::optional<char32_t> escape(CharacterSet& set, bool in_class) {
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

  char32_t escaped_character(char32_t c) {
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

  void property(CharacterSet& set) {
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

  std::string text_;
  const base::JsonValue& where_;
  size_t at_ = 0;
  int depth_ = 0;
  bool ignores_case_ = false;
  char32_t last_literal_ = 0;
  RegexProgram program_;
};

}  // namespace

RegexProgram parse_regex(const std::string& expression, const base::JsonValue& where) {
  return Parser(expression, where).parse();
}

}  // namespace vsr::text
