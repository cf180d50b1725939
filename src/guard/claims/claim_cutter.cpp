#include "guard/claims/claim_cutter.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/characters.h"
#include "base/utf8.h"
#include "text/unicode/sentence_marks.h"
#include "text/unicode/unicode.h"

namespace vsr::guard {
namespace {

using text::SentenceMark;

constexpr size_t kShortLine = 40, kLongLine = 120;

// Words before a full stop that seldom end a sentence, lower-case.
constexpr std::array<std::string_view, 70> kAbbreviations{
    "mr",  "mrs", "ms",  "dr",   "prof", "st",     "sr",  "jr",  "vs",   "eg",  "ie",   "cf",   "fig",  "eq",
    "no",  "vol", "pp",  "al",   "dept", "approx", "ca",  "nr",  "abs",  "art", "mme",  "mlle", "sra",  "dra",
    "bzw", "vgl", "ggf", "inkl", "zzgl", "evtl",   "max", "min", "mio",  "mrd", "tsd",  "str",  "jan",  "feb",
    "mar", "apr", "aug", "sept", "sep",  "oct",    "okt", "nov", "dec",  "dez", "janv", "fevr", "gen",  "capt",
    "lt",  "col", "gov", "sen",  "rev",  "hr",     "fr",  "tel", "resp", "zz",  "chap", "env",  "incl", "circa"};
// Words before "3." that make it an ordinal: "am 3. Oktober", "der 2. Weltkrieg".
constexpr std::array<std::string_view, 30> kBeforeOrdinal{
    "am",  "dem",  "den",   "der",   "das",   "die",  "im",  "zum",  "vom",    "bis",
    "ab",  "seit", "beim",  "des",   "ins",   "zur",  "vor", "und",  "oder",   "jeden",
    "ein", "eine", "einen", "einem", "einer", "nach", "ihr", "sein", "seinem", "ihrem"};
constexpr std::array<std::string_view, 14> kGermanMonths{"januar",   "februar",  "märz",   "april",      "mai",
                                                         "juni",     "juli",     "august", "september",  "oktober",
                                                         "november", "dezember", "jänner", "jahrhundert"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_white(char c) { return is_blank(c) || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Not the full-width full stop, which is the point of full-width numbers, too.
SentenceMark mark_of(char32_t c) { return c == 0xFF0E ? SentenceMark::kNone : text::sentence_mark(c); }

// What may come between the end of a sentence and the space after it, with Markdown's marks.
bool is_closer(char32_t c) {
  using namespace text;
  return c == U'"' || c == U'\'' || c == U'*' || c == U'_' || c == U'`' || c == 0xBB || c == 0x2019 || c == 0x201D ||
         char_info(c).in_categories(category_bit(kPe) | category_bit(kPf));
}

}  // namespace

void ClaimCutter::add(std::string_view bytes) { buffer_.append(bytes); }

std::optional<Claim> ClaimCutter::next(bool last) {
  for (;;) {
    if (start_ == at_) {  // white space between claims
      while (start_ < buffer_.size() && is_white(buffer_[start_])) {
        if (buffer_[start_] == '\n') line_ = start_ + 1;
        ++start_;
      }
      at_ = start_;
      if (line_ > start_) line_ = start_;
    }
    if (start_ > kMostBytes) {  // what was judged goes
      buffer_.erase(0, start_);
      offset_ += start_;
      at_ -= start_;
      line_ = line_ > start_ ? line_ - start_ : 0;
      start_ = 0;
    }
    Look found{Verdict::kGoOn, 0};
    const size_t stop = std::min(buffer_.size(), start_ + kMostBytes);
    while (at_ < stop && found.verdict == Verdict::kGoOn) {
      found = look(at_, last);
      if (found.verdict == Verdict::kGoOn) at_ = std::max(at_ + 1, found.end);
    }
    if (found.verdict == Verdict::kWait) return std::nullopt;
    size_t end = found.end;
    if (found.verdict == Verdict::kGoOn) {
      if (buffer_.size() >= start_ + kMostBytes) {
        end = forced_cut();
      } else if (last && start_ < buffer_.size()) {
        end = buffer_.size();
      } else {
        return std::nullopt;
      }
    }
    const size_t begin = start_;
    start_ = at_ = end;
    while (end > begin && is_white(buffer_[end - 1])) --end;
    if (end > begin) return Claim{offset_ + begin, std::string_view(buffer_).substr(begin, end - begin)};
  }
}

// `end` of kGoOn: where reading goes on.
ClaimCutter::Look ClaimCutter::look(size_t at, bool last) const {
  const unsigned char c = static_cast<unsigned char>(buffer_[at]);
  if (c == '\n') return after_line(at, last);
  if (c < 0x80 && c != '.' && c != '!' && c != '?') return {Verdict::kGoOn, at + 1};
  if (c >= 0x80 && at + 4 > buffer_.size() && !last) return {Verdict::kWait, 0};
  const base::Decoded decoded = base::decode_utf8(std::string_view(buffer_).substr(at));
  const SentenceMark mark = decoded.valid ? mark_of(decoded.code_point) : SentenceMark::kNone;
  if (mark == SentenceMark::kNone) return {Verdict::kGoOn, at + decoded.size};
  return after_mark(at, mark == SentenceMark::kStop, last);
}

ClaimCutter::Look ClaimCutter::after_mark(size_t at, bool stop, bool last) const {
  const size_t limit = std::min(buffer_.size(), at + kLookahead);
  const bool all = last || buffer_.size() >= at + kLookahead;  // nothing that is still to come matters
  bool wide = false;
  size_t i = at;
  while (i < limit) {  // "?!", "...", and what closes
    if (static_cast<unsigned char>(buffer_[i]) >= 0x80 && i + 4 > buffer_.size() && !all) return {Verdict::kWait, 0};
    const base::Decoded c = base::decode_utf8(std::string_view(buffer_).substr(i));
    const SentenceMark mark = c.valid ? mark_of(c.code_point) : SentenceMark::kNone;
    if (mark == SentenceMark::kNone && (!c.valid || !is_closer(c.code_point))) break;
    if (i > at && mark != SentenceMark::kNone && mark != SentenceMark::kStop) stop = false;
    wide |= mark == SentenceMark::kWide;
    i += c.size;
  }
  const size_t end = i;
  if (end >= limit) return all ? Look{Verdict::kCut, end} : Look{Verdict::kWait, 0};
  if (wide) return {Verdict::kCut, end};
  if (!is_white(buffer_[end])) return {Verdict::kGoOn, end};
  size_t next = end;
  while (next < limit && is_blank(buffer_[next])) ++next;
  if (next == limit && !all) return {Verdict::kWait, 0};
  if (next == limit || buffer_[next] == '\n') return {Verdict::kCut, end};
  // What follows: a small letter goes on; after a number, a German month makes it a date.
  if (next + 24 > buffer_.size() && !all) return {Verdict::kWait, 0};
  const base::Decoded c = base::decode_utf8(std::string_view(buffer_).substr(next));
  if (c.valid && text::char_info(c.code_point).in_categories(text::category_bit(text::kLl))) {
    return {Verdict::kGoOn, end};
  }
  if (stop && is_abbreviation(at, next, limit)) return {Verdict::kGoOn, end};
  return {Verdict::kCut, end};
}

bool ClaimCutter::is_abbreviation(size_t stop, size_t next, size_t limit) const {
  size_t begin = stop;
  while (begin > start_ && stop - begin < 24 &&
         (base::is_ascii_letter(buffer_[begin - 1]) || is_digit(buffer_[begin - 1]) ||
          static_cast<unsigned char>(buffer_[begin - 1]) >= 0x80)) {
    --begin;
  }
  const std::string word = base::ascii_lower(std::string_view(buffer_).substr(begin, stop - begin));
  if (word.empty()) return false;
  if (std::all_of(word.begin(), word.end(), is_digit)) {
    if (word.size() > 2) return false;
    size_t before = begin;
    while (before > start_ && is_blank(buffer_[before - 1])) --before;
    if (before == start_) return true;  // a list's number
    size_t first = before;
    while (first > start_ && before - first < 8 && base::is_ascii_letter(buffer_[first - 1])) --first;
    const std::string preceding = base::ascii_lower(std::string_view(buffer_).substr(first, before - first));
    if (std::find(kBeforeOrdinal.begin(), kBeforeOrdinal.end(), preceding) != kBeforeOrdinal.end()) return true;
    const std::string following =
        base::ascii_lower(std::string_view(buffer_).substr(next, std::min<size_t>(limit, next + 16) - next));
    return std::any_of(kGermanMonths.begin(), kGermanMonths.end(),
                       [&](std::string_view month) { return following.starts_with(month); });
  }
  if (word.size() == 1 && base::is_ascii_letter(word[0])) {
    // The g of "e.g.", "Roe v. Wade", an initial; not the unit of "12 V."
    if (word == "v" && buffer_[begin] == 'v') return true;
    if (begin > start_ && buffer_[begin - 1] == '.') return true;
    size_t before = begin;
    while (before > start_ && is_blank(buffer_[before - 1])) --before;
    const bool is_unit = before > start_ && is_digit(buffer_[before - 1]);
    return !is_unit && buffer_[begin] >= 'A' && buffer_[begin] <= 'Z';
  }
  if (word == "etc" || word == "usw") return false;
  if (word == "no") return is_digit(buffer_[next]);  // "No. 5"
  return std::find(kAbbreviations.begin(), kAbbreviations.end(), word) != kAbbreviations.end();
}

ClaimCutter::Look ClaimCutter::after_line(size_t at, bool last) const {
  const size_t limit = std::min(buffer_.size(), at + kLookahead);
  const bool all = last || buffer_.size() >= at + kLookahead;
  size_t begin = std::max(start_, line_);
  for (size_t i = at; i > begin; --i) {
    if (buffer_[i - 1] == '\n') {
      begin = i;
      break;
    }
  }
  const size_t length = at - begin;
  size_t next = at + 1;
  while (next < limit && is_blank(buffer_[next])) ++next;
  if (next >= limit) return all ? Look{Verdict::kCut, at} : Look{Verdict::kWait, 0};
  if (buffer_[next] == '\n' || length < kShortLine || length > kLongLine) return {Verdict::kCut, at};
  if (next + 8 > buffer_.size() && !all) return {Verdict::kWait, 0};
  // A mark of a list, a heading, a table or a quotation begins something new; else the prose was wrapped.
  const std::string_view rest = std::string_view(buffer_).substr(next, 8);
  if (rest[0] == '#' || rest[0] == '|' || rest[0] == '>' || rest.starts_with("```") ||
      rest.starts_with("\xE2\x80\xA2")) {
    return {Verdict::kCut, at};
  }
  if ((rest[0] == '-' || rest[0] == '*' || rest[0] == '+') && rest.size() > 1 && (rest[1] == ' ' || rest[1] == '*')) {
    return {Verdict::kCut, at};
  }
  size_t digits = 0;
  while (digits < rest.size() && is_digit(rest[digits])) ++digits;
  if (digits > 0 && digits < 4 && digits + 1 < rest.size() && (rest[digits] == '.' || rest[digits] == ')') &&
      rest[digits + 1] == ' ') {
    return {Verdict::kCut, at};
  }
  return {Verdict::kGoOn, at + 1};
}

// The last white space of the longest claim, or the last boundary of two characters.
size_t ClaimCutter::forced_cut() const {
  const size_t limit = start_ + kMostBytes;
  for (size_t i = limit; i > start_ + kMostBytes / 2; --i) {
    if (is_white(buffer_[i - 1])) return i;
  }
  size_t end = limit;
  while (end > limit - 3 && base::is_continuation(buffer_[end - 1])) --end;
  if (static_cast<unsigned char>(buffer_[end - 1]) >= 0xC0) --end;
  return end;
}

}  // namespace vsr::guard
