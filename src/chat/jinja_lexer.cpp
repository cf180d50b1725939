// Reference: jinja2 3.1, lexer.py.
#include "chat/jinja_lexer.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/error.h"
#include "chat/jinja_strings.h"
#include "chat/jinja_text.h"

namespace vsr::chat::jinja {
namespace {

using base::fail;
using base::Status;
using Kind = Token::Kind;

constexpr size_t kMaxTagTokens = 2000;  // their nesting is that of the tree, which the stack must bear

bool is_name_start(char c) { return base::is_ascii_letter(c) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }

// Every line ends with \n, and the template's last one with nothing.
std::string normalize_newlines(std::string_view source) {
  std::string text;
  for (size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n') continue;
    text += source[i] == '\r' ? '\n' : source[i];
  }
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

class Lexer {
 public:
  Lexer(std::string source, const std::string& path) : source_(std::move(source)), rest_(source_), path_(path) {}

  std::vector<Token> run() {
    while (!rest_.empty()) {
      const size_t tag = find_tag();
      emit_text(tag);
      if (rest_.empty()) break;
      if (rest_[1] == '#') {
        skip_comment();
      } else {
        read_tag();
      }
    }
    add(Kind::kEnd, "");
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail_here(Status status, const std::string& what) const {
    fail(status, path_, ": line ", line_, ": ", what);
  }

  size_t find_tag() const {
    for (size_t at = rest_.find('{'); at != std::string_view::npos; at = rest_.find('{', at + 1)) {
      if (at + 1 < rest_.size() && (rest_[at + 1] == '{' || rest_[at + 1] == '%' || rest_[at + 1] == '#')) return at;
    }
    return rest_.size();
  }

  void add(Kind kind, std::string text) { tokens_.push_back({kind, std::move(text), line_}); }

  void consume(size_t count) {
    line_ += static_cast<size_t>(std::count(rest_.begin(), rest_.begin() + static_cast<ptrdiff_t>(count), '\n'));
    rest_.remove_prefix(count);
  }

  // The text before a tag at `size`, without the white space that the tag takes away.
  void emit_text(size_t size) {
    const std::string_view whole = rest_.substr(0, size);
    std::string_view text = whole;
    if (size < rest_.size()) {
      const char sign = size + 2 < rest_.size() ? rest_[size + 2] : ' ';
      if (sign == '-') {
        text = strip_right(text);
      } else if (sign != '+' && rest_[size + 1] != '{') {
        text = without_indent(text);
      }
    }
    if (!text.empty()) add(Kind::kText, std::string(text));
    consume(size);
  }

  // lstrip_blocks: white space between the line's beginning and the tag goes.
  std::string_view without_indent(std::string_view text) const {
    const size_t newline = text.rfind('\n');
    if (newline == std::string_view::npos && !at_line_start_) return text;
    const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    return strip_left(text.substr(begin)).empty() ? text.substr(0, begin) : text;
  }

  // The white space that a tag's end takes away: all of it after "-", after a block or a comment one newline.
  void skip_after_tag(char sign, bool trims) {
    if (sign == '-') {
      const std::string_view left = strip_left(rest_);
      const size_t count = rest_.size() - left.size();
      at_line_start_ = count > 0 && rest_[count - 1] == '\n';
      consume(count);
    } else {
      const bool newline = trims && sign != '+' && rest_.starts_with('\n');
      at_line_start_ = newline;
      if (newline) consume(1);
    }
  }

  void skip_comment() {
    const size_t end = rest_.find("#}", 2);
    if (end == std::string_view::npos) fail_here(Status::kParse, "\"{#\" has no end");
    const char sign = end > 2 ? rest_[end - 1] : ' ';
    consume(end + 2);
    skip_after_tag(sign, true);
  }

  void read_tag() {
    const bool block = rest_[1] == '%';
    const size_t first = tokens_.size();
    add(block ? Kind::kBlockBegin : Kind::kOutputBegin, "");
    consume(2);
    if (!rest_.empty() && (rest_[0] == '-' || (rest_[0] == '+' && block))) consume(1);
    const std::string close = block ? "%}" : "}}";
    for (std::string brackets;;) {
      skip_space();
      if (rest_.empty()) fail_here(Status::kParse, "a tag has no end");
      if (brackets.empty()) {
        const char sign = rest_[0] == '-' || (rest_[0] == '+' && block) ? rest_[0] : ' ';
        const size_t skipped = sign == ' ' ? 0 : 1;
        if (rest_.substr(skipped).starts_with(close)) {
          add(block ? Kind::kBlockEnd : Kind::kOutputEnd, "");
          consume(skipped + 2);
          skip_after_tag(sign, block);
          return;
        }
      }
      if (tokens_.size() - first > kMaxTagTokens) fail_here(Status::kLimit, "a tag is too long");
      read_token(brackets);
    }
  }

  void skip_space() { consume(rest_.size() - strip_left(rest_).size()); }

  void read_token(std::string& brackets) {
    const char c = rest_[0];
    if (is_name_start(c)) {
      take(Kind::kName, static_cast<size_t>(std::find_if_not(rest_.begin(), rest_.end(), is_name) - rest_.begin()));
    } else if (is_digit(c)) {
      read_number();
    } else if (c == '"' || c == '\'') {
      read_string();
    } else {
      read_operator(brackets);
    }
  }

  void take(Kind kind, size_t size) {
    add(kind, std::string(rest_.substr(0, size)));
    consume(size);
  }

  size_t digits(size_t at) const {
    while (at < rest_.size() && is_digit(rest_[at])) ++at;
    return at;
  }

  void read_number() {
    size_t end = digits(0);
    bool whole = true;
    if (end + 1 < rest_.size() && rest_[end] == '.' && is_digit(rest_[end + 1])) {
      whole = false;
      end = digits(end + 1);
    }
    if (end < rest_.size() && is_name(rest_[end])) {
      fail_here(Status::kUnsupported, "a number in a form other than 12 or 1.5, which vsr does not run");
    }
    take(whole ? Kind::kInteger : Kind::kFloat, end);
  }

  void read_string() {
    const char quote = rest_[0];
    size_t end = 1;
    while (end < rest_.size() && rest_[end] != quote) end += rest_[end] == '\\' ? 2 : 1;
    if (end >= rest_.size()) fail_here(Status::kParse, "a string has no end");
    std::string text;
    if (!unescape(rest_.substr(1, end - 1), text)) {
      fail_here(Status::kUnsupported, "an escape sequence in a string, which vsr does not run");
    }
    add(Kind::kString, std::move(text));
    consume(end + 1);
  }

  void read_operator(std::string& brackets) {
    constexpr std::array<std::string_view, 26> kOperators{"//", "**", "==", "!=", ">=", "<=", "+", "-", "/",
                                                          "*",  "%",  "~",  "[",  "]",  "(",  ")", "{", "}",
                                                          ">",  "<",  "=",  ".",  ":",  "|",  ",", ";"};
    const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                    [&](std::string_view known) { return rest_.starts_with(known); });
    if (found == kOperators.end()) fail_here(Status::kParse, "a character that begins nothing in a tag");
    const char c = rest_[0];
    if (c == '(' || c == '[' || c == '{') brackets += c == '(' ? ')' : c == '[' ? ']' : '}';
    if (c == ')' || c == ']' || c == '}') {
      if (brackets.empty() || brackets.back() != c) {
        fail_here(Status::kParse, std::string("\"") + c + "\" closes nothing");
      }
      brackets.pop_back();
    }
    take(Kind::kOperator, found->size());
  }

  const std::string source_;
  std::string_view rest_;
  const std::string& path_;
  std::vector<Token> tokens_;
  size_t line_ = 1;
  bool at_line_start_ = true;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source, const std::string& path) {
  return Lexer(normalize_newlines(source), path).run();
}

}  // namespace vsr::chat::jinja
