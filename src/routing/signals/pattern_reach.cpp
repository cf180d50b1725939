#include "routing/signals/pattern_reach.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/utf8.h"

namespace vsr::routing {
namespace {

constexpr size_t kLongestCharacter = 4;  // whatever case folding makes of it

struct Unknown {};  // thrown for what is not understood

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Recursive descent over the grammar of RE2. Only lengths and line feeds are followed.
class Reader {
 public:
  explicit Reader(std::string_view pattern) : rest_(pattern) {}

  PatternReach run() {
    const size_t most = alternatives(0);
    if (!rest_.empty()) throw Unknown();
    return {most, !(line_feed_ || (dot_ && dot_takes_line_feeds_))};
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

  static size_t sum(size_t a, size_t b) { return std::min(a + b, PatternReach::kUnbounded); }

  size_t alternatives(size_t depth) {
    if (depth > kMaxDepth) throw Unknown();
    size_t most = 0;
    do most = std::max(most, sequence(depth));
    while (take("|"));
    return most;
  }

  size_t sequence(size_t depth) {
    size_t most = 0;
    while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      if (take("\\Q")) {
        most = sum(most, quoted());
      } else {
        most = sum(most, repeated(atom(depth)));
      }
    }
    return most;
  }

  size_t quoted() {
    const size_t end = std::min(rest_.find("\\E"), rest_.size());
    line_feed_ = line_feed_ || rest_.substr(0, end).find('\n') != std::string_view::npos;
    const size_t most = kLongestCharacter * end;
    rest_.remove_prefix(end);
    take("\\E");
    return std::min(repeated(most), PatternReach::kUnbounded);
  }

  size_t repeated(size_t most) {
    for (;;) {
      if (take("*") || take("+")) {
        if (most > 0) most = PatternReach::kUnbounded;
      } else if (const auto times = bounds()) {
        most = *times == 0 ? 0 : std::min(most, PatternReach::kUnbounded / *times + 1) * *times;
        most = std::min(most, PatternReach::kUnbounded);
      } else if (!take("?")) {
        return most;
      }
    }
  }

  // Of {n}, {n,} and {n,m} the greatest number; other braces are characters.
  std::optional<size_t> bounds() {
    if (!rest_.starts_with('{')) return std::nullopt;
    size_t at = 1;
    const auto number = [&] {
      size_t value = 0;
      for (; at < rest_.size() && is_digit(rest_[at]); ++at) value = std::min<size_t>(value * 10 + (rest_[at] - '0'), 1 << 20);
      return value;
    };
    if (at >= rest_.size() || !is_digit(rest_[at])) return std::nullopt;
    size_t most = number();
    if (at < rest_.size() && rest_[at] == ',') {
      ++at;
      most = at < rest_.size() && is_digit(rest_[at]) ? number() : PatternReach::kUnbounded;
    }
    if (at >= rest_.size() || rest_[at] != '}') return std::nullopt;
    rest_.remove_prefix(at + 1);
    return most;
  }

  size_t atom(size_t depth) {
    if (take("(")) return group(depth);
    if (take("[")) return character_class();
    if (take("\\")) return escape();
    if (take("^") || take("$")) return 0;
    if (take(".")) {
      dot_ = true;
      return kLongestCharacter;
    }
    return literal();
  }

  size_t literal() {
    line_feed_ = line_feed_ || rest_.front() == '\n';
    rest_.remove_prefix(base::decode_utf8(rest_).size);
    return kLongestCharacter;
  }

  size_t group(size_t depth) {
    if (take("?P<") || take("?<")) {
      rest_.remove_prefix(std::min(rest_.find('>'), rest_.size()));
      if (!take(">")) throw Unknown();
    } else if (take("?")) {
      for (char c = next(); c != ':'; c = next()) {
        if (c == ')') return 0;  // flags for what follows
        dot_takes_line_feeds_ = dot_takes_line_feeds_ || c == 's';
        if (!is_letter(c) && c != '-') throw Unknown();
      }
    }
    const size_t most = alternatives(depth + 1);
    if (!take(")")) throw Unknown();
    return most;
  }

  size_t escape() {
    const char c = next();
    constexpr std::string_view kEmpty = "bBAz", kNoLineFeed = "dwSatfrv";
    if (kEmpty.find(c) != std::string_view::npos) return 0;
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
    return kLongestCharacter;
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

  size_t character_class() {
    const bool negated = take("^");
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
    return kLongestCharacter;
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
  bool line_feed_ = false;
  bool dot_ = false;
  bool dot_takes_line_feeds_ = false;
};

}  // namespace

PatternReach pattern_reach(std::string_view pattern) {
  try {
    return Reader(pattern).run();
  } catch (const Unknown&) {
    return {};
  }
}

}  // namespace vsr::routing
