#include "facts/fold.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/checkpoint.h"
#include "base/utf8.h"
#include "text/hf/normalizers/normalizer_unicode.h"
#include "text/unicode/code_point_range.h"
#include "text/unicode/unicode.h"

namespace vsr::facts {
namespace {

// Unicode 15, DerivedCoreProperties, Default_Ignorable_Code_Point.
constexpr text::CodePointRange kInvisible[] = {
    {0xAD, 0xAD},     {0x34F, 0x34F},   {0x61C, 0x61C},     {0x115F, 0x1160},   {0x17B4, 0x17B5},  {0x180B, 0x180F},
    {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F},   {0x3164, 0x3164},   {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFF8}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

bool is_invisible(char32_t c) { return text::holds(kInvisible, c); }

void append_folded(std::string& out, char32_t c, bool case_sensitive) {
  constexpr char32_t kSharpS = 0xDF, kCapitalSharpS = 0x1E9E, kFinalSigma = 0x3C2, kSigma = 0x3C3;
  if (case_sensitive) return base::append_utf8(out, c);
  if (c == kSharpS || c == kCapitalSharpS) {
    out += "ss";
  } else if (c == kFinalSigma) {
    base::append_utf8(out, kSigma);
  } else if (const text::CodePoints lower = text::lowercase(c); !lower.empty()) {
    for (const uint32_t part : lower) base::append_utf8(out, part);
  } else {
    base::append_utf8(out, c);
  }
}

// A text is folded in parts of about this many visible bytes, so that its forms on the way take little room.
constexpr size_t kPart = size_t{32} << 10;
constexpr size_t kMostOfPart = 16 * kPart;  // U+FDFA becomes 11 times its bytes

// Writes a text without leading, trailing and repeated white space.
class FoldedText {
 public:
  explicit FoldedText(size_t size) { out_.reserve(size); }
  // When `read` of `all` bytes are read. A string that doubles would take three times what it holds.
  void make_room(size_t read, size_t all) {
    if (read == 0 || out_.capacity() - out_.size() > kMostOfPart) return;
    const double rest = static_cast<double>(all - read) / static_cast<double>(read);
    out_.reserve(out_.size() + static_cast<size_t>(static_cast<double>(out_.size()) * rest) + 2 * kMostOfPart);
  }
  void space() { space_ = !out_.empty(); }
  std::string& next() {
    if (space_) out_.push_back(' ');
    space_ = false;
    return out_;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  bool space_ = false;
};

bool is_ascii(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

std::string without_invisible(std::string_view text) {
  std::string visible;
  visible.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const base::Decoded c = base::decode_utf8(text.substr(i));
    if (!is_invisible(c.code_point)) visible.append(text.substr(i, c.size));
    i += c.size;
  }
  return visible;
}

// Whether a text may be cut before a character, whatever comes before it, and each part be folded by itself: nothing
// that the character becomes takes another place or composes with what is before it.
bool may_begin_part(char32_t code_point) {
  const text::CharInfo c = text::char_info(code_point);
  if (is_invisible(code_point) || c.combining_class() != 0) return false;
  if (!c.has_compatible()) return !c.may_compose();
  if (text::is_hangul_syllable(code_point)) return true;
  const text::CharInfo first = text::char_info(text::compatible_decomposition(code_point).front());
  return first.combining_class() == 0 && !first.may_compose();
}

// No word has this many marks on a letter. After them a text is cut although more follow, which are folded by
// themselves.
constexpr size_t kMostMarks = size_t{32} << 10;  // bytes

// Invisible characters do not count: they are left out before anything else, wherever they are.
size_t part_end(std::string_view text, size_t begin) {
  size_t visible = 0;
  base::Checkpoint checkpoint(begin);
  for (size_t at = begin; at < text.size();) {
    checkpoint(at);
    const base::Decoded c = base::decode_utf8(text.substr(at));
    const bool full = visible >= kPart;
    if (full && (c.code_point < 0x80 || may_begin_part(c.code_point))) return at;
    const bool is_seen = !is_invisible(c.code_point);
    if (is_seen && visible >= kPart + kMostMarks) return at;
    visible += is_seen ? c.size : 0;
    at += c.size;
  }
  return text.size();
}

void fold_ascii(std::string_view text, bool case_sensitive, FoldedText& folded) {
  for (const char c : text) {
    if (c == ' ' || (c >= '\t' && c <= '\r')) {
      folded.space();
    } else {
      folded.next().push_back(case_sensitive ? c : base::ascii_lower(c));
    }
  }
}

void fold_part(std::string_view text, bool case_sensitive, FoldedText& folded) {
  if (is_ascii(text)) return fold_ascii(text, case_sensitive, folded);
  // Before composition, which invisible characters between a letter and its mark would prevent.
  const std::string visible = without_invisible(text);
  text::NormalizedText composed(visible, 0);
  text::normalize_unicode(text::UnicodeForm::kNfkc, composed);
  const std::string_view view = composed.view();
  for (size_t i = 0; i < view.size();) {
    const base::Decoded c = base::decode_utf8(view.substr(i));
    if (text::char_info(c.code_point).in(text::kWhitespace)) {
      folded.space();
    } else {
      append_folded(folded.next(), c.code_point, case_sensitive);
    }
    i += c.size;
  }
}

}  // namespace

std::string fold(std::string_view text, bool case_sensitive) {
  FoldedText folded(text.size());
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = part_end(text, begin);
    if (end - begin > kPart / 2) base::check_thread_limits();
    if (text.size() > kMostOfPart) folded.make_room(begin, text.size());
    fold_part(text.substr(begin, end - begin), case_sensitive, folded);
    begin = end;
  }
  return folded.take();
}

bool is_blank(std::string_view text) {
  constexpr size_t kLongest = 4096;  // bytes; who sends more of nothing has said something
  return text.size() <= kLongest && fold(text).empty();
}

}  // namespace vsr::facts
