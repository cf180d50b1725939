#include "routing/signals/pattern_reach.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.h"

namespace vsr::routing {
namespace {

constexpr size_t kLongestCharacter = 4;
constexpr size_t kMostCounted = size_t{1} << 20;

// What a part of a pattern can take.
struct Extent {
  size_t bytes = 0;
  size_t characters = 0;  // written out, without an end to none
  size_t counted = 0;
};

// Whether "(?i)" may be somewhere in it.
bool may_fold(std::string_view pattern) {
  for (size_t at = pattern.find("(?"); at != pattern.npos; at = pattern.find("(?", at + 2)) {
    const size_t end = pattern.find_first_of(":)", at);
    if (pattern.substr(at, end - at).find('i') != pattern.npos) return true;
  }
  return false;
}

// Of a count: the most times, and how often RE2 writes out what is counted.
struct Bounds {
  size_t most, copies;
};

struct Unknown {};  // thrown for what is not understood

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Recursive descent over the grammar of RE2. Only lengths and line feeds are followed.
class Reader {
 public:
  Reader(std::string_view pattern, bool case_sensitive)
      : rest_(pattern), folds_(!case_sensitive || may_fold(pattern)) {}

  PatternReach run() {
    const Extent most = alternatives(0);
    if (!rest_.empty()) throw Unknown();
    return {most.bytes, !(line_feed_ || (dot_ && dot_takes_line_feeds_)), most.counted};
  }

 private:
  static constexpr size_t kMaxDepth = 1000;

  bool take(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  char next() {
    if (rest_.empty()) throw Unknown();
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  static Extent bounded(Extent most) {
    most.bytes = std::min(most.bytes, PatternReach::kUnbounded);
    most.characters = std::min(most.characters, kMostCounted);
    most.counted = std::min(most.counted, kMostCounted);
    return most;
  }

  // A text is seldom in the midst of several alternatives.
  Extent alternatives(size_t depth) {
    if (depth > kMaxDepth) throw Unknown();
    Extent most;
    do {
      const Extent one = sequence(depth);
      most = bounded(
          {std::max(most.bytes, one.bytes), most.characters + one.characters, std::max(most.counted, one.counted)});
    } while (take("|"));
    return most;
  }

  Extent sequence(size_t depth) {
    Extent most;
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      const Extent one = take("\\Q") ? quoted() : repeated(atom(depth));
      most = bounded({most.bytes + one.bytes, most.characters + one.characters, most.counted + one.counted});
    }
    return most;
  }

  Extent quoted() {
    const size_t end = std::min(rest_.find("\\E"), rest_.size());
    line_feed_ = line_feed_ || rest_.substr(0, end).find('\n') != std::string_view::npos;
    const Extent most{kLongestCharacter * end, end, 0};
    rest_.remove_prefix(end);
    take("\\E");
    return bounded(repeated(most));
  }

  Extent repeated(Extent most) {
    for (;;) {
      if (take("*") || take("+")) {
        if (most.bytes > 0) most.bytes = PatternReach::kUnbounded;
      } else if (const auto times = bounds()) {
        most = counted(most, *times);
      } else if (!take("?")) {
        return most;
      }
    }
  }

  static Extent counted(Extent most, Bounds times) {
    most.bytes = times.most == 0 ? 0 : std::min(most.bytes, PatternReach::kUnbounded / times.most + 1) * times.most;
    if (times.copies > 1) most.counted = most.characters *= times.copies;
    return bounded(most);
  }

  // {n}, {n,} and {n,m}; other braces are characters.
  std::optional<Bounds> bounds() {
    if (!rest_.starts_with('{')) return std::nullopt;
    size_t at = 1;
    const auto number = [&] {
      size_t value = 0;
      for (; at < rest_.size() && is_digit(rest_[at]); ++at)
        value = std::min<size_t>(value * 10 + (rest_[at] - '0'), 1 << 20);
      return value;
    };
    if (at >= rest_.size() || !is_digit(rest_[at])) return std::nullopt;
    size_t most = number();
    size_t copies = most;
    if (at < rest_.size() && rest_[at] == ',') {
      ++at;
      most = at < rest_.size() && is_digit(rest_[at]) ? number() : PatternReach::kUnbounded;
      copies = most == PatternReach::kUnbounded ? copies : most;
    }
    if (at >= rest_.size() || rest_[at] != '}') return std::nullopt;
    rest_.remove_prefix(at + 1);
    return Bounds{most, copies};
  }

  static Extent one_character(size_t bytes = kLongestCharacter) { return {bytes, 1, 0}; }

  // The Kelvin sign and the long s are k and s in another case.
  size_t bytes_of(char ascii) const {
    if (!folds_) return 1;
    if (ascii == 'k' || ascii == 'K') return 3;
    return ascii == 's' || ascii == 'S' ? 2 : 1;
  }

  Extent atom(size_t depth) {
    if (take("(")) return group(depth);
    if (take("[")) return character_class();
    if (take("\\")) return escape();
    if (take("^") || take("$")) return {};
    if (take(".")) {
      dot_ = true;
      return one_character();
    }
    return literal();
  }

  Extent literal() {
    const char first = rest_.front();
    line_feed_ = line_feed_ || first == '\n';
    rest_.remove_prefix(base::decode_utf8(rest_).size);
    return one_character(static_cast<unsigned char>(first) < 0x80 ? bytes_of(first) : kLongestCharacter);
  }

  Extent group(size_t depth) {
    if (take("?P<") || take("?<")) {
      rest_.remove_prefix(std::min(rest_.find('>'), rest_.size()));
      if (!take(">")) throw Unknown();
    } else if (take("?")) {
      for (char c = next(); c != ':'; c = next()) {
        if (c == ')') return {};  // flags for what follows
        dot_takes_line_feeds_ = dot_takes_line_feeds_ || c == 's';
        if (!is_letter(c) && c != '-') throw Unknown();
      }
    }
    const Extent most = alternatives(depth + 1);
    if (!take(")")) throw Unknown();
    return most;
  }

  Extent escape() {
    const char c = next();
    constexpr std::string_view kEmpty = "bBAz", kNoLineFeed = "dwSatfrv";
    if (kEmpty.find(c) != std::string_view::npos) return {};
    if (c == 'd' || (c == 'w' && !folds_)) return one_character(1);
    if (c == 'p' || c == 'P') {
      property();
    } else if (c == 'x' || is_digit(c)) {
      number(c);
    } else if (is_letter(c) && kNoLineFeed.find(c) == std::string_view::npos) {
      if (std::string_view("nsDWC").find(c) == std::string_view::npos) throw Unknown();
      line_feed_ = true;
    } else if (static_cast<unsigned char>(c) >= 0x80 || c == '\n') {
      throw Unknown();
    }
    return one_character();
  }

  void property() {
    line_feed_ = true;
    if (take("{")) {
      rest_.remove_prefix(std::min(rest_.find('}'), rest_.size()));
      if (!take("}")) throw Unknown();
    } else {
      next();
    }
  }

  // \x7F, \x{10FFFF}, \123
  void number(char first) {
    line_feed_ = true;
    if (first != 'x') {
      for (int i = 0; i < 2 && !rest_.empty() && is_digit(rest_.front()); ++i) rest_.remove_prefix(1);
    } else if (take("{")) {
      rest_.remove_prefix(std::min(rest_.find('}'), rest_.size()));
      if (!take("}")) throw Unknown();
    } else {
      next();
      next();
    }
  }

  Extent character_class() {
    const bool negated = take("^");
    const std::string_view begin = rest_;
    bool line_feed = false;  // named, or perhaps so
    bool certain = false;
    for (bool first = true; first || rest_.empty() || rest_.front() != ']'; first = false) {
      if (take("[:")) {
        const size_t end = rest_.find(":]");
        if (end == std::string_view::npos) throw Unknown();
        certain = certain || rest_.substr(0, end) == "space";
        line_feed = line_feed || !is_plain_class(rest_.substr(0, end));
        rest_.remove_prefix(end + 2);
        continue;
      }
      const char c = next();
      if (c == '\\') {
        class_escape(line_feed, certain);
      } else {
        certain = certain || c == '\n';
        line_feed = line_feed || static_cast<unsigned char>(c) < ' ';  // a range may begin there
      }
    }
    next();  // the bracket
    if (negated ? !certain : line_feed || certain) line_feed_ = true;
    const bool plain = !negated && is_plain_ascii(begin.substr(0, begin.size() - rest_.size()));
    return one_character(plain ? (folds_ ? 3 : 1) : kLongestCharacter);
  }

  // Of letters, digits and signs of ASCII; escapes and names of classes are not looked into.
  static bool is_plain_ascii(std::string_view members) {
    return std::none_of(members.begin(), members.end(),
                        [](char c) { return static_cast<unsigned char>(c) >= 0x80 || c == '\\' || c == '['; });
  }

  void class_escape(bool& line_feed, bool& certain) {
    const char c = next();
    if (c == 'n' || c == 's') {
      certain = true;
    } else if (c == 'p' || c == 'P') {
      property_in_class();
      line_feed = true;
    } else if (c == 'x' && take("{")) {
      rest_.remove_prefix(std::min(rest_.find('}'), rest_.size()));
      if (!take("}")) throw Unknown();
      line_feed = true;
    } else if (c != 'd' && c != 'w' && (is_letter(c) || is_digit(c))) {
      line_feed = true;  // \S excludes one, but ranges from \t or \a hold it
    }
  }

  void property_in_class() {
    if (!take("{")) {
      next();
      return;
    }
    rest_.remove_prefix(std::min(rest_.find('}'), rest_.size()));
    if (!take("}")) throw Unknown();
  }

  static bool is_plain_class(std::string_view name) {
    constexpr std::array<std::string_view, 9> kPlain{"alnum", "alpha", "digit",  "graph", "lower",
                                                     "punct", "upper", "xdigit", "word"};
    return std::find(kPlain.begin(), kPlain.end(), name) != kPlain.end();
  }

  std::string_view rest_;
  bool folds_;
  bool line_feed_ = false;
  bool dot_ = false;
  bool dot_takes_line_feeds_ = false;
};

}  // namespace

PatternReach pattern_reach(std::string_view pattern, bool case_sensitive) {
  try {
    return Reader(pattern, case_sensitive).run();
  } catch (const Unknown&) {
    return {};
  }
}

}  // namespace vsr::routing
