#include "text/unicode/sentences.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/unicode/sentence_marks.h"
#include "text/unicode/unicode.h"

namespace vsr::text {
namespace {

constexpr size_t kShortLine = 40;
constexpr size_t kLongLine = 120;
constexpr size_t kShortClause = 40;

// Words before a full stop that seldom end a sentence, lower-case.
constexpr std::array<std::string_view, 34> kAbbreviations{
    "mr",  "mrs", "ms",  "dr", "prof", "st",  "sr",  "jr",   "vs",  "etc", "eg",   "ie",
    "cf",  "fig", "eq",  "no", "vol",  "pp",  "al",  "inc",  "ltd", "co",  "dept", "approx",
    "bzw", "ca",  "usw", "nr", "abs",  "art", "mme", "mlle", "sra", "dra"};

bool is_closer(char32_t c) {
  return c == U'"' || c == U'\'' || c == 0x2019 || c == 0x201D || c == 0xBB || c == 0x300D || c == 0x300F ||
         (c != U'(' && char_info(c).in_categories(category_bit(kPe) | category_bit(kPf)));
}

// Most bytes can end nothing; a space only after a letter of a script without spaces, which is not ASCII.
constexpr std::array<bool, 256> kPlainBytes = [] {
  std::array<bool, 256> plain{};
  for (size_t c = 0; c < 0x80; ++c) plain[c] = c != '.' && c != '!' && c != '?' && c != '\n';
  return plain;
}();

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool is_space(const base::Decoded& c) {
  return c.valid && (c.code_point <= 0x20 || char_info(c.code_point).in(kWhitespace));
}

bool is_unspaced(std::string_view bytes) {
  if (static_cast<unsigned char>(bytes[0]) < 0xE0) return false;
  const base::Decoded c = base::decode_utf8(bytes);
  return c.valid && script_of(c.code_point) == Script::kThai;
}

}  // namespace

// At most one sentence ends in a step.
bool SentenceReader::next(base::Span& sentence) {
  base::Checkpoint checkpoint(at_);
  while (found_.size() == 0 && at_ < text_.size()) {
    checkpoint(at_);
    step();
  }
  if (found_.size() == 0 && start_ < text_.size()) cut(text_.size());
  sentence = std::exchange(found_, base::Span{});
  return sentence.size() > 0;
}

void SentenceReader::step() {
  const size_t stop = std::min(at_ + base::Checkpoint::kStride, text_.size());
  while (at_ < stop && kPlainBytes[static_cast<unsigned char>(text_[at_])]) ++at_;
  if (at_ == stop) return;
  if (text_[at_] == '\n') return line_break();
  const base::Decoded c = base::decode_utf8(text_.substr(at_));
  const SentenceMark mark = c.valid ? sentence_mark(c.code_point) : SentenceMark::kNone;
  const size_t mark_at = at_;
  at_ += c.size;
  if (mark != SentenceMark::kNone) end_mark(mark, mark_at);
  if (at_ < text_.size() && text_[at_] == ' ' && clause_ends()) cut(at_);
}

// Emits what is between the last end and `end`, without white space.
void SentenceReader::cut(size_t end) {
  size_t begin = start_;
  while (begin < end) {
    const base::Decoded c = base::decode_utf8(text_.substr(begin));
    if (!is_space(c)) break;
    begin += c.size;
  }
  size_t last = end;
  while (last > begin && (is_blank(text_[last - 1]) || text_[last - 1] == '\n')) --last;
  if (last > begin) found_ = {begin, last};
  start_ = end;
}

void SentenceReader::end_mark(SentenceMark mark, size_t mark_at) {
  SentenceMark strongest = mark;
  base::Checkpoint checkpoint(at_);
  while (at_ < text_.size()) {  // "?!", "...", and what closes
    const base::Decoded c = base::decode_utf8(text_.substr(at_));
    const SentenceMark next = sentence_mark(c.code_point);
    if (!c.valid || (next == SentenceMark::kNone && !is_closer(c.code_point))) break;
    strongest = std::max(strongest, next);
    at_ += c.size;
    checkpoint(at_);
  }
  if (strongest == SentenceMark::kWide) return cut(at_);
  if (at_ == text_.size() || !is_space(base::decode_utf8(text_.substr(at_)))) return;
  if (next_is_small() || (strongest == SentenceMark::kStop && is_abbreviation(mark_at))) return;
  cut(at_);
}

// The first letter after the white space here is a small one.
bool SentenceReader::next_is_small() const {
  size_t i = at_;
  for (size_t n = 0; i < text_.size() && is_blank(text_[i]) && n < 8; ++n) ++i;
  if (i == text_.size() || text_[i] == '\n') return false;
  const base::Decoded c = base::decode_utf8(text_.substr(i));
  return c.valid && char_info(c.code_point).in_categories(category_bit(kLl));
}

bool SentenceReader::is_abbreviation(size_t stop) const {
  char word[8];
  size_t size = 0, i = stop;
  while (i > start_ && size < sizeof(word)) {
    const char lower = static_cast<char>(text_[i - 1] | 0x20);
    if (lower < 'a' || lower > 'z') break;
    word[sizeof(word) - ++size] = lower;
    --i;
  }
  const std::string_view found(word + sizeof(word) - size, size);
  if (size == 1) return text_[i] <= 'Z' || (i > start_ && text_[i - 1] == '.');  // an initial; the g of e.g.
  return std::find(kAbbreviations.begin(), kAbbreviations.end(), found) != kAbbreviations.end();
}

void SentenceReader::line_break() {
  const size_t end = at_;
  const size_t length = end - line_;
  size_t breaks = 0;
  base::Checkpoint checkpoint(at_);
  for (; at_ < text_.size() && (text_[at_] == '\n' || is_blank(text_[at_])); ++at_) {
    checkpoint(at_);
    if (text_[at_] != '\n') continue;
    ++breaks;
    line_ = at_ + 1;
  }
  if (breaks > 1 || length < kShortLine || length > kLongLine || at_list_item()) cut(end);
}

bool SentenceReader::at_list_item() const {
  if (at_ == text_.size()) return false;
  const std::string_view rest = text_.substr(at_, 6);
  if (rest.starts_with("- ") || rest.starts_with("* ") || rest.starts_with("+ ") || rest.starts_with("\xE2\x80\xA2")) {
    return true;
  }
  size_t digits = 0;
  while (digits < rest.size() && digits < 3 && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
  const bool letter =
      digits == 0 && ((rest[0] >= 'A' && rest[0] <= 'Z') || (rest[0] >= 'a' && rest[0] <= 'z') || rest[0] == '(');
  if (digits == 0 && !letter) return false;
  const std::string_view after = rest.substr(letter ? 1 : digits);
  return after.starts_with(". ") || after.starts_with(") ");
}

// A space between letters of a script that has none inside a clause.
bool SentenceReader::clause_ends() const {
  if (at_ - start_ < kShortClause || at_ < 3 || at_ + 3 >= text_.size()) return false;
  return is_unspaced(text_.substr(at_ - 3, 3)) && is_unspaced(text_.substr(at_ + 1, 3));
}

std::vector<base::Span> split_sentences(std::string_view text, base::Span range) {
  std::vector<base::Span> sentences;
  sentences.reserve(range.size() / 96 + 1);
  SentenceReader reader(text, range);
  for (base::Span sentence; reader.next(sentence);) sentences.push_back(sentence);
  return sentences;
}

}  // namespace vsr::text
