#include "facts/quantities/number_reader.h"

#include <cmath>
#include <limits>
#include <string>

#include "facts/quantities/number_words.h"

namespace vsr::facts {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
using Kind = NumberWord::Kind;

double value_of(std::string_view digits) {
  double value = 0;
  for (const char c : digits) value = value * 10 + (c - '0');
  return value;
}

double fraction_sign(std::string_view sign) {
  if (sign == "½") return 0.5;
  if (sign == "¼") return 0.25;
  if (sign == "¾") return 0.75;
  if (sign == "⅓") return 1.0 / 3;
  if (sign == "⅔") return 2.0 / 3;
  if (sign == "⅛") return 0.125;
  if (sign == "⅕") return 0.2;
  return 0;
}

class Reader {
 public:
  Reader(std::span<const Piece> pieces, size_t at, NumberStyle style)
      : pieces_(pieces), at_(at), i_(at), style_(style) {}

  std::optional<ReadNumber> read() {
    const bool read = pieces_[i_].kind == Piece::kDigits ? digits() : words();
    if (!read) return std::nullopt;
    number_.pieces = i_ - at_;
    return number_;
  }

 private:
  const Piece* peek(size_t ahead = 0) const { return i_ + ahead < pieces_.size() ? &pieces_[i_ + ahead] : nullptr; }
  bool touches(size_t ahead, std::string_view sign) const {
    const Piece* piece = peek(ahead);
    return piece && !piece->space && piece->is(sign);
  }
  bool digits_touch(size_t ahead) const {
    const Piece* piece = peek(ahead);
    return piece && !piece->space && piece->kind == Piece::kDigits;
  }
  std::optional<NumberWord> word(size_t ahead = 0) const {
    const Piece* piece = peek(ahead);
    if (!piece || piece->kind != Piece::kWord) return std::nullopt;
    return number_word(piece->lower);
  }

  bool digits() {
    std::string whole = pieces_[i_].lower;
    number_.other = kNone;
    ++i_;
    size_t groups = 0;
    char group_sign = 0;
    // Thousands: a sign or a space and three digits, again and again.
    while (whole.size() <= 3 + 3 * groups) {
      const Piece* sign = peek();
      if (!sign) break;
      if (sign->kind == Piece::kDigits && sign->space && !sign->wide_space && sign->lower.size() == 3 &&
          (group_sign == 0 || group_sign == ' ') && group_ends(1)) {
        group_sign = ' ';
        whole += sign->lower;
        ++i_;
        ++groups;
        continue;
      }
      const bool point = touches(0, "."), comma = touches(0, ",");
      if (!point && !comma && !touches(0, "'") && !touches(0, "_")) break;
      if (!digits_touch(1) || peek(1)->lower.size() != 3) break;
      const char c = sign->lower[0];
      if (group_sign != 0 && group_sign != c) break;
      if (groups == 0 && (point || comma) && !group_comes(c)) break;
      whole += peek(1)->lower;
      group_sign = c;
      i_ += 2;
      ++groups;
    }
    number_.grouped = groups > 0;
    number_.value = value_of(whole);
    if (groups == 1 && (group_sign == '.' || group_sign == ',')) {  // 1.200 may be 1.2 elsewhere
      number_.other = number_.value / 1000;
    }
    // A fraction.
    const char decimal = touches(0, ".") ? '.' : touches(0, ",") ? ',' : 0;
    if (decimal != 0 && decimal != group_sign && digits_touch(1)) {
      const std::string& part = peek(1)->lower;
      const bool more = (touches(2, ".") || touches(2, ",")) && digits_touch(3);
      if (!more || decimal == ',') {
        const double scale = std::pow(10, static_cast<double>(part.size()));
        number_.value += value_of(part) / scale;
        number_.step = 1 / scale;
        number_.decimal = true;
        number_.other = kNone;
        if (groups == 0 && part.size() == 3 && whole != "0") number_.other = value_of(whole + part);
        i_ += 2;
      }
    }
    if (const Piece* sign = peek(); sign && sign->kind == Piece::kSign) {
      if (const double part = fraction_sign(sign->lower); part > 0) {
        number_.value += part;
        number_.step = 0.25;
        number_.decimal = true;
        ++i_;
      } else if (touches(0, "/") && digits_touch(1) && groups == 0 && !number_.decimal) {
        const double below = value_of(peek(1)->lower);
        if (below > number_.value && below <= 16 && number_.value > 0 && !touches(2, "/")) {
          number_.value /= below;
          number_.step = 0.001;
          number_.form = ReadNumber::kShare;
          i_ += 2;
          return true;
        }
      }
    }  // "3 1/2"
    if (groups == 0 && !number_.decimal && peek() && peek()->space && peek()->kind == Piece::kDigits &&
        touches(1, "/") && digits_touch(2)) {
      const double above = value_of(peek()->lower), below = value_of(peek(2)->lower);
      if (above < below && below <= 16) {
        number_.value += above / below;
        number_.step = 0.01;
        number_.decimal = true;
        i_ += 3;
      }
    }
    ordinal_or_factor();
    if (number_.form == ReadNumber::kPlain) scale();
    return true;
  }

  // Whether a sign and three digits here are thousands: always after more than one such group, else by the language.
  bool group_comes(char sign) const {
    const bool zero = pieces_[i_ - 1].is("0") || pieces_[i_ - 1].lower.starts_with("0");
    if (zero) return false;
    const bool again = (touches(2, ".") || touches(2, ",")) && digits_touch(3) && peek(3)->lower.size() == 3 &&
                       peek(2)->lower[0] == sign;
    const bool other = touches(2, sign == '.' ? "," : ".") && digits_touch(3);
    if (again || other) return true;
    return sign == ',' ? style_ != NumberStyle::kComma : style_ == NumberStyle::kComma;
  }
  // After three digits that may be a group: no more digits touch.
  bool group_ends(size_t ahead) const {
    const Piece* piece = peek(ahead);
    return !piece || piece->space || piece->kind == Piece::kSign || piece->kind == Piece::kWord;
  }

  void ordinal_or_factor() {
    const Piece* next = peek();
    if (!next || next->kind == Piece::kDigits) return;
    if (!next->space && (next->is("st") || next->is("nd") || next->is("rd") || next->is("th") || next->is("er") ||
                         next->is("ère") || next->is("e") || next->is("ème") || next->is("re"))) {
      number_.form = ReadNumber::kOrdinal;
      ++i_;
      return;
    }
    const size_t dash = touches(0, "-") ? 1 : 0;
    const auto times = word(dash);
    if (times && times->kind == Kind::kTimes && (dash == 0 || !peek(dash)->space)) {
      number_.form = ReadNumber::kFactor;
      i_ += dash + 1;
    } else if (next->is("×") || (next->is("x") && !next->space)) {
      const Piece* after = peek(1);
      if (after && after->kind == Piece::kDigits) return;  // 3 x 4
      number_.form = ReadNumber::kFactor;
      ++i_;
    }
  }

  // "million", "hundred"; "k" that touches.
  void scale() {
    while (const auto next = word()) {
      if (next->kind != Kind::kScale && next->kind != Kind::kHundred) break;
      if (next->kind == Kind::kHundred && !(peek()->is("hundred") || peek()->is("hundert"))) break;  // cents
      apply(next->value);
      ++i_;
      const Piece* dot = peek();
      const Piece& short_form = pieces_[i_ - 1];
      if (dot && !dot->space && dot->is(".") && peek(1) && peek(1)->space &&
          (short_form.is("mio") || short_form.is("mrd") || short_form.is("tsd") || short_form.is("mn") ||
           short_form.is("bn"))) {
        ++i_;
      }
    }
    const Piece* next = peek();
    if (!next || next->kind != Piece::kWord) return;
    if (next->is("k") && !next->space) {
      apply(1e3);
      ++i_;
    } else if (next->is("m") && !next->space && next->capital) {
      apply(1e6);
      ++i_;
    } else if (next->is("b") && !next->space && next->capital) {
      apply(1e9);
      ++i_;
    }
  }
  void apply(double scale) {
    number_.value *= scale;
    number_.other = std::isnan(number_.other) ? kNone : number_.other * scale;
    number_.step *= scale;
    number_.scaled = true;
  }

  bool words() {
    number_.words = true;
    number_.other = kNone;
    double total = 0, current = 0, last = 0;
    bool any = false, article = false;
    Kind last_kind = Kind::kAnd;
    for (;;) {
      const size_t dash = any && touches(0, "-") && peek(1) && !peek(1)->space ? 1 : 0;
      const Piece* piece = peek(dash);
      if (!piece || (any && piece->wide_space)) break;
      const auto next = word(dash);
      if (!next) break;
      if (next->kind == Kind::kUnit || next->kind == Kind::kTens) {
        const bool score =
            next->kind == Kind::kTens && next->value == 20 && last_kind == Kind::kUnit && current == 4;  // quatre-vingt
        if (score) {
          current = 80;
          last = 80;
        } else if (any &&
                   !(last_kind == Kind::kTens && next->kind == Kind::kUnit &&
                     (next->value < 10 || last == 60 || last == 80) && next->value < 20) &&
                   !(last == 10 && next->value >= 7 && next->value <= 9) && last_kind != Kind::kHundred &&
                   last_kind != Kind::kScale) {
          break;
        } else {
          if (article && last_kind == Kind::kArticle) return false;
          current += next->value;
          last = next->value;
        }
        last_kind = score ? Kind::kTens : next->kind;
      } else if (next->kind == Kind::kHundred) {
        if (any && last_kind == Kind::kHundred) break;
        if (any && current > 19 && current != std::floor(current)) break;
        current = (current == 0 ? 1 : current) * 100;
        last = 100;
        last_kind = Kind::kHundred;
      } else if (next->kind == Kind::kScale) {
        if (!any && next->value < 1000 && dash == 0) return false;
        total += (current == 0 && total == 0 ? 1 : current) * next->value;
        current = 0;
        last = next->value;
        last_kind = Kind::kScale;
      } else if (next->kind == Kind::kAnd && any && dash == 0) {
        const auto after = word(1);
        const bool joins = after &&
                           (after->kind == Kind::kUnit || after->kind == Kind::kTens ||
                            (after->kind == Kind::kOne && last_kind == Kind::kTens)) &&
                           (last_kind == Kind::kHundred || last_kind == Kind::kScale ||
                            (last_kind == Kind::kTens && peek()->is("et") && after->value < 12));
        if (!joins) break;
        ++i_;
        if (after->kind == Kind::kOne) {
          current += 1;
          ++i_;
          break;
        }
        continue;
      } else if ((next->kind == Kind::kOne || next->kind == Kind::kArticle) && !any) {
        const auto after = word(1);
        const bool half = after && (after->kind == Kind::kHalf || after->kind == Kind::kFraction);
        if (half) {
          i_ += 1;
          article = true;
          number_.article = true;
          any = true;
          current = 1;
          last_kind = Kind::kOne;
          continue;
        }
        const bool scales = after && (after->kind == Kind::kScale || after->kind == Kind::kHundred);
        if (!scales && next->kind == Kind::kArticle) return false;
        article = !scales;
        current = 1;
        last = 1;
        last_kind = next->kind;
        i_ += 1;
        any = true;
        if (!scales) break;
        continue;
      } else {
        break;
      }
      any = true;
      i_ += dash + 1;
    }
    number_.value = total + current;
    number_.article = article || (any && number_.value == 1);
    number_.scaled = last_kind == Kind::kScale;
    if (any) {
      const double size = number_.value;
      number_.step = size >= 1e9 && std::fmod(size, 1e9) == 0   ? 1e9
                     : size >= 1e6 && std::fmod(size, 1e6) == 0 ? 1e6
                                                                : 1;
    }
    return any ? after_words() : alone();
  }

  // "three quarters", "two and a half", "four times", "one in five".
  bool after_words() {
    const size_t dash = touches(0, "-") ? 1 : 0;
    const auto next = word(dash);
    if (next && next->kind == Kind::kFraction && (!peek(dash)->is("quart") || !peek(dash)->is("quarts"))) {
      const Piece* after = peek(dash + 1);
      const bool dated = after && (after->kind == Piece::kDigits);
      if (dated) return true;
      number_.value *= next->value;
      number_.step = 0.01;
      number_.form = ReadNumber::kShare;
      number_.article = false;
      i_ += dash + 1;
      return true;
    }
    if (next && next->kind == Kind::kHalf && number_.value == 1) return half(dash);
    if (next && next->kind == Kind::kTimes) {
      number_.form = ReadNumber::kFactor;
      i_ += dash + 1;
      return true;
    }
    if (next && next->kind == Kind::kAnd) {
      const auto article = word(1), half = word(2);
      const size_t skip = article && article->kind == Kind::kArticle ? 2 : 1;
      if ((skip == 2 ? half : article) && (skip == 2 ? half : article)->kind == Kind::kHalf) {
        number_.value += 0.5;
        number_.step = 0.5;
        number_.decimal = true;
        i_ += skip + 1;
      } else if (skip == 2 && half && half->kind == Kind::kFraction) {  // "four and a quarter"
        number_.value += half->value;
        number_.step = half->value;
        number_.decimal = true;
        i_ += 3;
      }
    }
    if (next && next->kind == Kind::kScale) scale();
    return true;
  }

  // "half a million", "half an hour", "half of"; "ein halbes Jahr".
  bool half(size_t dash) {
    i_ += dash + 1;
    number_.value = 0.5;
    number_.step = 0.1;
    number_.decimal = true;
    number_.article = false;
    const auto article = word();
    const auto scale_word = article && article->kind == Kind::kArticle ? word(1) : article;
    if (scale_word && scale_word->kind == Kind::kScale) {
      i_ += article->kind == Kind::kArticle ? 2 : 1;
      apply(scale_word->value);
      return true;
    }
    if (article && article->kind == Kind::kArticle) {
      ++i_;  // "an" of "half an hour"; with no unit after it, a share all the same
      return true;
    }
    number_.form = ReadNumber::kShare;
    return true;
  }

  bool alone() {
    const auto next = word();
    if (!next) {
      const Piece* sign = peek();
      if (const double part = sign->kind == Piece::kSign ? fraction_sign(sign->lower) : 0; part > 0) {
        number_.value = part;
        number_.step = 0.01;
        number_.form = ReadNumber::kShare;
        number_.words = false;
        ++i_;
        return true;
      }
      return false;
    }
    switch (next->kind) {
      case Kind::kHalf:
        return half(0);
      case Kind::kFactor:
        number_.value = next->value;
        number_.form = ReadNumber::kFactor;
        break;
      case Kind::kOrdinal:
        number_.value = next->value;
        number_.form = ReadNumber::kOrdinal;
        break;
      case Kind::kFraction: {  // "Drittel", "le tiers", "the quarter of"
        const Piece* after = peek(1);
        if (!after || !(after->is("of") || after->is("der") || after->is("des") || after->is("de") || after->is("du")))
          return false;
        if (after->is("of") && !peek(2)) return false;
        number_.value = next->value;
        number_.step = 0.01;
        number_.form = ReadNumber::kShare;
        break;
      }
      default:
        return false;
    }
    ++i_;
    return true;
  }

  std::span<const Piece> pieces_;
  size_t at_, i_;
  NumberStyle style_;
  ReadNumber number_;
};

}  // namespace

std::optional<ReadNumber> number_at(std::span<const Piece> pieces, size_t at, NumberStyle style) {
  return Reader(pieces, at, style).read();
}

}  // namespace vsr::facts
