#include "facts/quantities/pieces.h"

#include "base/utf8.h"
#include "text/unicode/stop_words.h"
#include "text/unicode/unicode.h"

namespace vsr::facts {
namespace {

using text::category_bit;

// Signs that are written in several ways.
std::string_view plain_sign(char32_t c) {
  switch (c) {
    case 0x2018:
    case 0x2019:
    case 0x2BC:
    case 0xB4:
    case U'`':
      return "'";
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0xAB:
    case 0xBB:
      return "\"";
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2212:
    case 0xFE63:
    case 0xFF0D:
      return "-";
    case 0x2013:
    case 0x2014:
    case 0x2015:
      return "\xE2\x80\x93";  // a dash
    case 0xFF0C:
      return ",";
    case 0xFF0E:
      return ".";
    case 0xFF05:
      return "%";
    case 0x2044:
    case 0x2215:
      return "/";
    case 0xBA:
      return "\xC2\xB0";  // of degrees
    default:
      return {};
  }
}

bool is_no_break(char32_t c) { return c == 0xA0 || c == 0x202F || c == 0x2009 || c == 0x2007; }

// The value of a decimal digit of any script that is written in tens: blocks of digits begin with zero.
int digit_value(char32_t c) {
  if (c >= U'0' && c <= U'9') return static_cast<int>(c - U'0');
  if (c >= 0x2080 && c <= 0x2089) return static_cast<int>(c - 0x2080);  // subscripts, as in formulas
  if (c < 0x660 || !text::char_info(c).in_categories(category_bit(text::kNd))) return -1;
  if (c >= 0x1D7CE && c <= 0x1D7FF) return static_cast<int>((c - 0x1D7CE) % 10);
  char32_t zero = c;  // its block's first digit
  while (c - zero < 9 && text::char_info(zero - 1).in_categories(category_bit(text::kNd))) --zero;
  return static_cast<int>((c - zero) % 10);
}

}  // namespace

std::vector<Piece> cut_pieces(std::string_view text) {
  std::vector<Piece> pieces;
  pieces.reserve(text.size() / 5 + 1);
  bool starts = true, space = false, wide = false, hard = false;
  size_t spaces = 0;
  Piece* open = nullptr;  // what the next character may belong to
  for (size_t i = 0; i < text.size();) {
    const base::Decoded c = base::decode_utf8(text.substr(i));
    const size_t at = i;
    i += c.size;
    const auto info = text::char_info(c.code_point);
    if (c.code_point <= 0x20 || is_no_break(c.code_point) || info.in(text::kWhitespace)) {
      open = nullptr;
      space = true;
      hard |= is_no_break(c.code_point);
      wide |= ++spaces > 1 || c.code_point == U'\n';
      if (c.code_point == U'\n') starts = true;
      continue;
    }
    if (c.code_point == 0xAD || c.code_point == 0x200B || c.code_point == 0xFEFF || c.code_point == 0x200D) continue;
    const int digit = digit_value(c.code_point);
    const bool letter = info.in_categories(text::kLetterCategories | text::kMarkCategories) && c.code_point != 0xBA;
    const Piece::Kind kind = digit >= 0 ? Piece::kDigits : letter ? Piece::kWord : Piece::kSign;
    const bool han = letter && c.code_point >= 0x2E80;
    if (!open || open->kind != kind || kind == Piece::kSign || han) {
      pieces.push_back({.begin = at, .kind = kind, .space = space, .wide_space = wide, .hard_space = hard && !wide});
      open = &pieces.back();
      space = wide = hard = false;
      spaces = 0;
      if (kind == Piece::kWord) {
        open->starts = starts;
        open->capital = info.in_categories(category_bit(text::kLu) | category_bit(text::kLt));
        open->upper = open->capital;
      }
      if (kind != Piece::kSign) starts = false;
    } else if (letter && info.in_categories(category_bit(text::kLu))) {
      if (!open->upper) open->mixed = true;
    } else if (letter) {
      if (open->upper && open->end - open->begin > 1 && open->lower.size() > 1) open->mixed = true;  // "GmbH", "TVs"
      open->upper = false;
    }
    open->end = i;
    if (digit >= 0) {
      open->lower += static_cast<char>('0' + digit);
    } else if (letter) {
      if (const auto lower = text::lowercase(c.code_point); !lower.empty()) {
        for (const uint32_t small : lower) base::append_utf8(open->lower, small);
      } else {
        open->lower.append(text.substr(at, c.size));
      }
    } else {
      const std::string_view plain = plain_sign(c.code_point);
      open->lower = plain.empty() ? text.substr(at, c.size) : plain;
      if (c.code_point == U'.' || c.code_point == U'!' || c.code_point == U'?' || c.code_point == U':') starts = true;
    }
    if (han) open = nullptr;
  }
  for (Piece& piece : pieces) {
    if (piece.upper && piece.lower.size() < 2) piece.upper = false;
  }
  return pieces;
}

NumberStyle number_style(std::string_view text) {
  const std::string_view language = text::detect_language(text);
  if (language.empty()) return NumberStyle::kUnknown;
  return language == "en" || language == "zh" || language == "ja" || language == "hi" ? NumberStyle::kPoint
                                                                                      : NumberStyle::kComma;
}

}  // namespace vsr::facts
