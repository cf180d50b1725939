#include "facts/cache_veto_tokens.h"

#include "base/utf8.h"
#include "text/unicode/unicode.h"

namespace vsr::facts {
namespace {

bool in_range(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }
bool is_han(char32_t c) {
  return in_range(c, 0x3400, 0x4DBF) || in_range(c, 0x4E00, 0x9FFF) || in_range(c, 0xF900, 0xFAFF) ||
         in_range(c, 0x20000, 0x3FFFF);
}
bool is_hiragana(char32_t c) { return in_range(c, 0x3041, 0x309F); }
bool is_katakana(char32_t c) { return in_range(c, 0x30A0, 0x30FF) && c != 0x30FB; }

// The digits of a script are consecutive, 0 to 9; the mathematical alphabets have five such rows without a gap.
char ascii_digit(char32_t c) {
  if (c < 0x80) return static_cast<char>(c);
  char32_t before = 0;
  while (before < 50 && text::char_info(c - before - 1).category() == text::kNd) ++before;
  return static_cast<char>('0' + before % 10);
}

bool is_apostrophe(char32_t c) { return c == '\'' || c == 0x2019; }
bool is_sentence_end(char32_t c) {
  return c == '.' || c == '!' || c == '?' || c == '\n' || c == ':' || c == ';' || c == 0x2026 || c == 0x3002 ||
         c == 0xFF01 || c == 0xFF1F || c == 0xBF || c == 0xA1 || c == '*' || c == 0x2022;
}
bool is_sign(char32_t c) {
  return c == '$' || c == '%' || c == 0xA3 || c == 0xA5 || c == 0x20AC || c == 0x20B9 || c == 0xB0;
}

// What closes a quotation that `c` opens; 0: it opens none.
char32_t closing_quote(char32_t c) {
  switch (c) {
    case '"':
    case '`':
    case '\'':
      return c;
    case 0x201C:
      return 0x201D;
    case 0x201E:
      return 0x201C;
    case 0x2018:
      return 0x2019;
    case 0xAB:
      return 0xBB;
    case 0x300C:
      return 0x300D;
    case 0x300E:
      return 0x300F;
    case 0x300A:
      return 0x300B;
    default:
      return 0;
  }
}

struct Character {
  char32_t code = ' ';
  text::CharInfo info = text::char_info(' ');
  bool letter() const { return info.in_categories(text::kLetterCategories); }
  bool digit() const { return info.category() == text::kNd; }
  bool word() const {
    return letter() || digit() || code == '_' || info.in_categories(text::kMarkCategories) || code == 0x30FC;
  }
};

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : rest_(text) {
    next_ = decode();
    advance();
  }

  std::vector<VetoToken> run() {
    while (!end_) step();
    flush();
    return std::move(tokens_);
  }

 private:
  Character decode() {
    if (rest_.empty()) return {};
    const auto decoded = base::decode_utf8(rest_);
    rest_.remove_prefix(decoded.size);
    if (!decoded.valid) return {};
    return {decoded.code_point, text::char_info(decoded.code_point)};
  }
  void advance() {
    previous_ = now_;
    now_ = next_;
    end_ = no_next_;
    no_next_ = rest_.empty();
    next_ = decode();
  }

  void step() {
    if (is_han(now_.code) || is_sign(now_.code)) {
      flush();
      append();
      flush();
    } else if (now_.word()) {
      if (breaks_script()) flush();
      append();
    } else if (!joins()) {
      separator();
    }
    advance();
  }

  // Hiragana and katakana are words of their own.
  bool breaks_script() const {
    if (current_.text.empty() || now_.code == 0x30FC) return false;
    return is_hiragana(now_.code) != is_hiragana(previous_.code) ||
           is_katakana(now_.code) != is_katakana(previous_.code);
  }

  // Takes a character that belongs to the word although it is no letter.
  bool joins() {
    const char32_t c = now_.code;
    if (current_.text.empty()) return false;
    const bool between = next_.word() && !is_han(next_.code) && previous_.word();
    const bool after_short = (c == '+' || c == '#') && current_.text.size() <= 4 && !current_.digits &&
                             (current_.text.size() <= 2 || previous_.code == c) && !next_.letter();
    if (after_short || (between && (c == '.' || c == '@')) || (c == ',' && previous_.digit() && next_.digit())) {
      current_.text += static_cast<char>(c);
      return true;
    }
    if (between && is_apostrophe(c) && c != quote_) {
      current_.text += '\'';
      return true;
    }
    return false;
  }

  void separator() {
    flush();
    const char32_t c = now_.code;
    if (quote_ != 0 && c == quote_) {
      for (size_t i = quote_begin_; i < tokens_.size(); ++i) tokens_[i].quoted = true;
      quote_ = 0;
    } else if (quote_ == 0 && closing_quote(c) != 0 && !(c < 0x2020 && previous_.word())) {
      quote_ = closing_quote(c);
      quote_begin_ = tokens_.size();
    } else if (c == '\n') {
      quote_ = 0;  // one that nobody closed on its line was something else
    }
    if (is_sentence_end(c)) sentence_start_ = true;
    negative_ = (c == '-' || c == 0x2212) && next_.digit() && !previous_.word();
  }

  void append() {
    if (current_.text.empty()) {
      current_.sentence_start = sentence_start_;
      current_.negative = negative_;
      current_.katakana = is_katakana(now_.code);
      current_.hiragana = is_hiragana(now_.code);
      sentence_start_ = negative_ = false;
    }
    if (now_.digit()) {
      current_.digits = true;
      current_.text += ascii_digit(now_.code);
      return;
    }
    if (now_.letter()) note_case();
    const auto lower = text::lowercase(now_.code);
    if (lower.empty()) {
      base::append_utf8(current_.text, now_.code);
    } else {
      for (const uint32_t c : lower) base::append_utf8(current_.text, c);
    }
  }

  void note_case() {
    const bool upper = now_.info.category() == text::kLu || now_.info.category() == text::kLt;
    if (!current_.letters) {
      current_.form = upper ? VetoToken::kCapitalised : VetoToken::kLower;
      all_upper_ = upper;
      n_letters_ = 1;
    } else {
      all_upper_ = all_upper_ && upper;
      ++n_letters_;
      const bool previous_lower = previous_.info.category() == text::kLl;
      if (upper && previous_lower) current_.form = VetoToken::kMixed;
    }
    current_.letters = true;
  }

  void flush() {
    if (current_.text.empty()) return;
    if (all_upper_ && n_letters_ > 1 && current_.letters) current_.form = VetoToken::kUpper;
    tokens_.push_back(std::move(current_));
    current_ = {};
    all_upper_ = false;
    n_letters_ = 0;
  }

  std::string_view rest_;
  Character previous_, now_, next_;
  bool end_ = false, no_next_ = false;
  std::vector<VetoToken> tokens_;
  VetoToken current_;
  size_t n_letters_ = 0;
  bool all_upper_ = false;
  bool sentence_start_ = true;
  bool negative_ = false;
  char32_t quote_ = 0;  // what would close the quotation; 0: none
  size_t quote_begin_ = 0;
};

}  // namespace

std::vector<VetoToken> veto_tokens(std::string_view text) {
  if (text.empty()) return {};
  return Tokenizer(text).run();
}

}  // namespace vsr::facts
