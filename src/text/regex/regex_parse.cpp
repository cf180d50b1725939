// Regular expressions: alternatives, sequences, quantifiers and groups become steps. regex_reader.cpp reads characters.

#include <optional>

#include "text/regex/regex_reader.h"

namespace vsr::text {
namespace {

constexpr uint32_t kMostRepeats = 1000;
constexpr size_t kMostSteps = 20'000;

using Steps = std::vector<RegexStep>;

// A piece of the expression: its steps, with targets relative to its first one, and whether it may match nothing.
struct Fragment {
  Steps steps;
  bool may_be_empty = true;
};

class Parser : private RegexReader {
 public:
  Parser(const std::string& expression, const base::JsonValue& where) : RegexReader(expression, where) {}

  RegexProgram parse() {
    Fragment whole = alternatives();
    if (at_ < text_.size()) refuse("an unmatched )");
    if (whole.may_be_empty) refuse("that it may match nothing");
    whole.steps.push_back({.kind = RegexStep::kAccept});
    program_.steps = std::move(whole.steps);
    return std::move(program_);
  }

 private:
  static void append(Steps& steps, const Steps& more) {
    const uint32_t base = static_cast<uint32_t>(steps.size());
    for (RegexStep step : more) {
      step.target += base;
      steps.push_back(step);
    }
  }

  Fragment alternatives() {
    enter();
    const bool ignores_case = ignores_case_;
    std::vector<Fragment> branches = {sequence()};
    size_t size = branches.front().steps.size();
    while (accept("|")) {
      branches.push_back(sequence());
      size += branches.back().steps.size() + 2;
      if (size > kMostSteps) refuse("such a size");
    }
    ignores_case_ = ignores_case;
    leave();
    return either(std::move(branches), static_cast<uint32_t>(size));
  }

  // split 2nd; 1st; jump end; split 3rd; 2nd; jump end; last
  static Fragment either(std::vector<Fragment> branches, uint32_t size) {
    if (branches.size() == 1) return std::move(branches.front());
    Fragment all{{}, false};
    all.steps.reserve(size);
    for (size_t i = 0; i < branches.size(); ++i) {
      const bool last = i + 1 == branches.size();
      const uint32_t next = static_cast<uint32_t>(all.steps.size() + branches[i].steps.size()) + 2;
      if (!last) all.steps.push_back({.kind = RegexStep::kSplit, .target = next});
      append(all.steps, branches[i].steps);
      if (!last) all.steps.push_back({.kind = RegexStep::kJump, .target = size});
      all.may_be_empty = all.may_be_empty || branches[i].may_be_empty;
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
        if (value > kMostRepeats) refuse("this number of repeats");
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

  // Puts steps that end with an accept after a look-ahead or atomic step.
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

  RegexProgram program_;
};

}  // namespace

RegexProgram parse_regex(const std::string& expression, const base::JsonValue& where) {
  return Parser(expression, where).parse();
}

}  // namespace vsr::text
