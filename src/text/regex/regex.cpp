#include "text/regex/regex.h"

#include <algorithm>

#include "base/characters.h"
#include "base/error.h"
#include "base/utf8.h"
#include "text/regex/match_work.h"

namespace vsr::text {
namespace {

constexpr size_t kMostChoices = size_t{4} << 20;
constexpr size_t kNoMatch = std::numeric_limits<size_t>::max();

size_t previous(std::string_view text, size_t position) {
  do --position;
  while (position > 0 && base::is_continuation(text[position]));
  return position;
}

class Matcher {
 public:
  Matcher(const RegexProgram& program, std::string_view text) : program_(program), text_(text) {}

  // The end of the match that begins at `position`, or kNoMatch.
  size_t match(size_t position) { return match(0, position); }

 private:
  // The same for the steps from `step` on.
  size_t match(uint32_t step, size_t position) {
    const size_t bottom = choices_.size();
    for (;;) {
      MatchWork::spend(1);
      const RegexStep& now = program_.steps[step];
      if (now.kind == RegexStep::kAccept) {
        choices_.resize(bottom);
        return position;
      }
      if (advance(now, step, position)) continue;
      if (!backtrack(bottom, step, position)) return kNoMatch;
    }
  }

  // A place to go on from when the current way fails.
  struct Choice {
    uint32_t step;
    size_t position;
    size_t limit;          // greedy runs: how far they may be cut back; lazy ones: how many characters may be added
    const RegexStep* run;  // null for a plain alternative
  };

  bool advance(const RegexStep& now, uint32_t& step, size_t& position) {
    switch (now.kind) {
      case RegexStep::kRun:
        return run(now, step, position);
      case RegexStep::kSplit: {
        const bool lazy = now.greed == Greed::kLazy;
        push({lazy ? step + 1 : now.target, position, 0, nullptr});
        step = lazy ? now.target : step + 1;
        return true;
      }
      case RegexStep::kJump:
        step = now.target;
        return true;
      case RegexStep::kLookAhead:
        if ((match(step + 1, position) != kNoMatch) == now.negative) return false;
        step = now.target;
        return true;
      case RegexStep::kLookBehind:
        if ((position > 0 && has(now, previous(text_, position))) == now.negative) return false;
        ++step;
        return true;
      case RegexStep::kAtomic: {
        const size_t end = match(step + 1, position);
        if (end == kNoMatch) return false;
        position = end;
        step = now.target;
        return true;
      }
      case RegexStep::kLineBegin:
        if (position != 0 && (text_[position - 1] != '\n' || position == text_.size())) return false;
        ++step;
        return true;
      case RegexStep::kLineEnd:
        if (position != text_.size() && text_[position] != '\n') return false;
        ++step;
        return true;
      default:
        return false;
    }
  }

  void push(const Choice& choice) {
    if (choices_.size() >= kMostChoices) {
      base::fail(base::Status::kLimit, "text: the tokenizer's expression takes too much memory on it");
    }
    choices_.push_back(choice);
  }

  bool has(const RegexStep& now, size_t position) const {
    MatchWork::spend(program_.sets[now.set].cost());
    return program_.sets[now.set].contains(base::decode_utf8(text_.substr(position)).code_point);
  }

  // Moves over one character of the set.
  bool take(const RegexStep& now, size_t& position) const {
    if (position == text_.size()) return false;
    const CharacterSet& set = program_.sets[now.set];
    MatchWork::spend(set.cost());
    const base::Decoded c = base::decode_utf8(text_.substr(position));
    if (!set.contains(c.code_point)) return false;
    position += c.size;
    return true;
  }

  bool run(const RegexStep& now, uint32_t& step, size_t& position) {
    size_t at = position;
    for (uint32_t i = 0; i < now.least; ++i) {
      if (!take(now, at)) return false;
    }
    const size_t least_end = at;
    if (now.greed == Greed::kLazy) {
      if (now.most > now.least) push({step + 1, at, now.most - now.least, &now});
    } else {
      for (uint32_t i = now.least; i < now.most && take(now, at); ++i) {
      }
      if (now.greed == Greed::kGreedy && at > least_end) push({step + 1, at, least_end, &now});
    }
    position = at;
    ++step;
    return true;
  }

  bool backtrack(size_t bottom, uint32_t& step, size_t& position) {
    while (choices_.size() > bottom) {
      Choice& choice = choices_.back();
      step = choice.step;
      if (choice.run == nullptr) {
        position = choice.position;
        choices_.pop_back();
        return true;
      }
      if (choice.run->greed == Greed::kGreedy) {
        position = choice.position = previous(text_, choice.position);
        if (choice.position == choice.limit) choices_.pop_back();
        return true;
      }
      if (take(*choice.run, choice.position)) {
        position = choice.position;
        if (--choice.limit == 0) choices_.pop_back();
        return true;
      }
      choices_.pop_back();
    }
    return false;
  }

  const RegexProgram& program_;
  std::string_view text_;
  std::vector<Choice> choices_;
};

class Regex : public Pattern {
 public:
  explicit Regex(RegexProgram program) : program_(std::move(program)) {}

  void find(std::string_view text, uint32_t origin, std::vector<Span>& matches) const override {
    const MatchWork work(match_steps(text.size()));
    Matcher matcher(program_, text);
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = matcher.match(begin);
      if (end != kNoMatch && end > begin) {
        matches.push_back({origin + static_cast<uint32_t>(begin), origin + static_cast<uint32_t>(end)});
        begin = end;
      } else {
        begin += base::decode_utf8(text.substr(begin)).size;
      }
    }
  }

 private:
  RegexProgram program_;
};

}  // namespace

void CharacterSet::finish() {
  cost_ = 1;
  for (CharacterSet& set : nested_) {
    set.finish();
    cost_ += set.cost_;
  }
  std::sort(ranges_.begin(), ranges_.end());
  size_t kept = 0;  // each begins after the end of the one before
  for (const auto& range : ranges_) {
    if (kept > 0 && range.first <= ranges_[kept - 1].second) {
      ranges_[kept - 1].second = std::max(ranges_[kept - 1].second, range.second);
    } else {
      ranges_[kept++] = range;
    }
  }
  ranges_.resize(kept);
  for (char32_t c = 0; c < 128; ++c) ascii_[c] = compute(c);
}

bool CharacterSet::compute(char32_t c) const {
  const CharInfo info = char_info(c);
  bool found = info.in_categories(categories_) || (space_ && info.in(kWhitespace));
  if (word_ != kNoWord && !found) {
    // Oniguruma's \w lacks the joiners; on its own it has the superscript and fraction digits of Latin-1.
    const bool is_digit = c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0xBC && c <= 0xBE);
    found = (is_digit && word_ == kWordAlone) || (info.in(kWordCharacter) && c != 0x200C && c != 0x200D);
  }
  const auto ends_before = [](const auto& range, char32_t sought) { return range.second < sought; };
  const auto range = std::lower_bound(ranges_.begin(), ranges_.end(), c, ends_before);
  found = found || (range != ranges_.end() && range->first <= c);
  for (const CharacterSet& set : nested_) found = found || set.contains(c);
  return found != negated_;
}

PatternPtr compile_regex(const std::string& expression, const base::JsonValue& where) {
  return std::make_unique<Regex>(parse_regex(expression, where));
}

}  // namespace vsr::text
