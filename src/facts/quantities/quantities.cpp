#include "facts/quantities/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "facts/quantities/century_reader.h"
#include "facts/quantities/date_reader.h"
#include "facts/quantities/hedges.h"
#include "facts/quantities/identifier_reader.h"
#include "facts/quantities/number_reader.h"
#include "facts/quantities/number_words.h"
#include "facts/quantities/quantity_join.h"

namespace vsr::facts {
namespace {

bool is_one_of(const Piece& piece, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), piece.lower) != words.end();
}

class Finder {
 public:
  Finder(std::string_view text, std::span<const Piece> pieces, NumberStyle style)
      : text_(text), pieces_(pieces), style_(style) {}

  std::vector<Quantity> find() {
    for (size_t i = 0; i < pieces_.size();) {
      auto found = at(i);
      if (!found) {
        ++i;
        continue;
      }
      if (found->first_piece == 0) found->first_piece = i;
      found->begin = pieces_[found->first_piece].begin;
      found->end = pieces_[found->last_piece - 1].end;
      const bool own = found->hedge != Hedge::kNone;
      if (!own) found->hedge = hedge_before(pieces_, found->first_piece);
      i = found->last_piece;
      if (found->hedge == Hedge::kNone) found->hedge = hedge_after(pieces_, i);
      found_.push_back(std::move(*found));
    }
    join_quantities(pieces_, found_);
    unit_ahead();
    return std::move(found_);
  }

 private:
  const Piece* piece(size_t i) const { return i < pieces_.size() ? &pieces_[i] : nullptr; }
  bool is(size_t i, std::string_view text) const { return i < pieces_.size() && pieces_[i].is(text); }

  // "In feet, the pylons are just under 600 high."
  void unit_ahead() {
    if (!is(0, "in") && !is(0, "en")) return;
    const auto unit = piece(1) ? unit_at(pieces_, 1) : std::nullopt;
    if (!unit || pieces_[1].lower.size() < 4) return;
    Quantity* only = nullptr;
    for (Quantity& quantity : found_) {
      if (quantity.first_piece < 1 + unit->pieces) return;
      if (quantity.kind != QuantityKind::kNumber || quantity.unit.dimension != Dimension::kNone || quantity.year ||
          quantity.soft)
        continue;
      if (only) return;
      only = &quantity;
    }
    if (only) only->unit = unit->unit;
  }

  std::optional<Quantity> at(size_t i) {
    const Piece& first = pieces_[i];
    if (first.kind != Piece::kSign) {
      if (auto date = date_at(pieces_, i)) return date;
      if (auto clock = clock_at(pieces_, i)) return clock;
    }
    if (auto found = and_a_half(i)) return found;
    if (auto found = one_and_more(i)) return found;
    if (auto found = century_at(pieces_, i, style_)) return found;
    if (auto found = every_nth(i)) return found;
    if (auto found = identifier_at(text_, pieces_, i)) return found;
    if (first.kind == Piece::kWord) {
      if (const int day = first.capital || first.lower.size() > 4 ? weekday_of(first.lower) : 0; day > 0) {
        Quantity found;
        found.kind = QuantityKind::kWeekday;
        found.value = day;
        found.last_piece = i + 1;
        return found;
      }
    }
    return number(i);
  }  // "a day and a half"
  std::optional<Quantity> and_a_half(size_t i) const {
    if (!is_one_of(pieces_[i], {"a", "an", "one"}) || !is(i + 2, "and") || !is(i + 3, "a") || !is(i + 4, "half"))
      return std::nullopt;
    const auto unit = unit_at(pieces_, i + 1);
    if (!unit || unit->pieces != 1) return std::nullopt;
    Quantity found;
    found.value = 1.5;
    found.step = 0.5;
    found.decimal = true;
    found.words = true;
    found.unit = unit->unit;
    found.last_piece = i + 5;
    return found;
  }

  // "every third visitor", "jedes achte Kind"; "every second day" is none.
  std::optional<Quantity> every_nth(size_t i) const {
    if (!is_one_of(pieces_[i], {"every", "jede", "jeder", "jedes", "jeden", "jedem"}) || !piece(i + 2))
      return std::nullopt;
    const auto nth = number_at(pieces_, i + 1, style_);
    double value = nth && nth->form == ReadNumber::kOrdinal ? nth->value : 0;
    if (is(i + 1, "second")) value = 2;
    if (is(i + 1, "third")) value = 3;
    const size_t end = i + 1 + (nth && value == nth->value ? nth->pieces : 1);
    if (value < 2 || value > 100 || unit_at(pieces_, end)) return std::nullopt;
    Quantity found;
    found.kind = QuantityKind::kShare;
    found.value = 1 / value;
    found.step = 0.001;
    found.words = true;
    found.last_piece = end;
    return found;
  }
  // "an hour and 35 minutes": join_quantities() adds the rest.
  std::optional<Quantity> one_and_more(size_t i) const {
    if (!is_one_of(pieces_[i], {"a", "an", "one", "eine", "einer", "einem", "ein", "une", "un"}) ||
        !(is(i + 2, "and") || is(i + 2, "und") || is(i + 2, "et")) || !piece(i + 3)) {
      return std::nullopt;
    }
    const auto unit = unit_at(pieces_, i + 1);
    const auto more = number_at(pieces_, i + 3, style_);
    if (!unit || unit->pieces != 1 || unit->unit.dimension == Dimension::kMoney || !more || more->article ||
        more->form != ReadNumber::kPlain)
      return std::nullopt;
    const auto smaller = i + 3 + more->pieces < pieces_.size() ? unit_at(pieces_, i + 3 + more->pieces) : std::nullopt;
    if (!smaller || smaller->unit.dimension != unit->unit.dimension || smaller->unit.factor >= unit->unit.factor)
      return std::nullopt;
    Quantity found;
    found.value = 1;
    found.words = true;
    found.unit = unit->unit;
    found.last_piece = i + 2;
    return found;
  }

  std::optional<Quantity> number(size_t i) {
    Quantity found;
    size_t at = i;
    double sign = 1;
    if ((is(at, "-") || is(at, "minus") || is(at, "moins")) && piece(at + 1) &&
        pieces_[at + 1].kind == Piece::kDigits && (pieces_[at].kind == Piece::kWord || !pieces_[at + 1].space) &&
        (pieces_[at].kind == Piece::kWord || at == 0 || pieces_[at].space || is(at - 1, "("))) {
      if (is(at, "moins") && is(at + 1, "de")) return std::nullopt;
      sign = -1;
      ++at;
    }
    // "€ 1,350", "GBP2,700", "US$ 5".
    bool money = false;
    if (at < pieces_.size() &&
        (pieces_[at].kind == Piece::kSign || pieces_[at].upper || pieces_[at].mixed || pieces_[at].capital)) {
      if (const auto currency = currency_at(pieces_, at); currency && !currency->doubt) {
        const size_t after = at + currency->pieces;
        const bool sign_or_code = pieces_[after - 1].kind == Piece::kSign || pieces_[at].upper || pieces_[at].is("fr");
        if (sign_or_code && after < pieces_.size() && pieces_[after].kind == Piece::kDigits &&
            !pieces_[after].wide_space) {
          found.unit = currency->unit;
          at = after;
          money = true;
        }
      }
    }
    if (at >= pieces_.size()) return std::nullopt;
    const auto number = number_at(pieces_, at, style_);
    if (!number) return std::nullopt;
    size_t end = at + number->pieces;
    found.value = sign * number->value;
    found.other = number->other;
    found.step = number->step;
    found.words = number->words;
    found.decimal = number->decimal;
    found.scaled = number->scaled;
    switch (number->form) {
      case ReadNumber::kShare:
        found.kind = QuantityKind::kShare;
        break;
      case ReadNumber::kFactor:
        found.kind = QuantityKind::kFactor;
        break;
      case ReadNumber::kOrdinal:
        found.kind = QuantityKind::kOrdinal;
        break;
      default:
        break;
    }
    if (!money && at != i && sign > 0) return std::nullopt;
    if (money && is(end, "m") && !pieces_[end].space) scale(found, end, 1e6);
    if (money && (is(end, "bn") || is(end, "b")) && !pieces_[end].space) scale(found, end, 1e9);
    if (!money) unit(found, end, *number);
    if (money && found.unit.dimension == Dimension::kMoney) per(found, end);
    found.first_piece = i;
    found.last_piece = end;
    if (found.kind == QuantityKind::kFactor) frequency(found, end);
    if (found.kind == QuantityKind::kNumber && found.unit.dimension == Dimension::kNone) {
      size_t ignored = end;
      per(found, ignored);
    }
    if (found.kind == QuantityKind::kNumber && found.unit.dimension == Dimension::kNone) bare(found, *number, at);
    soften(found, *number);
    if (number->article && found.unit.dimension == Dimension::kNone && found.kind == QuantityKind::kNumber) {
      // "one", "ein", "un" of things: a pronoun or an article more often than a number.
      if (!pieces_[at].is("one")) return std::nullopt;
      found.soft = true;
    }
    return found;
  }

  static void scale(Quantity& found, size_t& end, double factor) {
    found.value *= factor;
    found.step *= factor;
    found.scaled = true;
    ++end;
  }

  // What follows a number: "%", "km", "euros", "calendar months", "-month", "hours and a half".
  void unit(Quantity& found, size_t& end, const ReadNumber& number) {
    size_t at = end;
    const Piece* next = piece(at);
    if (!next || next->wide_space) return;
    if (number.scaled && (next->is("d") || next->is("de"))) {  // "millions d'euros"
      const size_t after = at + (is(at + 1, "'") ? 2 : 1);
      if (piece(after) && unit_at(pieces_, after)) at = after;
    }
    if (number.form == ReadNumber::kShare) {  // "trois quarts d'heure", "a quarter of an hour"
      const size_t after = is(at, "d") && is(at + 1, "'")                          ? at + 2
                           : is(at, "of") && (is(at + 1, "an") || is(at + 1, "a")) ? at + 2
                                                                                   : at;
      if (after > at && piece(after) && unit_at(pieces_, after)) at = after;
    }
    if (next->is("-") && !next->space && piece(at + 1) && !pieces_[at + 1].space &&
        pieces_[at + 1].kind == Piece::kWord)
      ++at;
    if (is_one_of(pieces_[at], {"calendar", "full",  "working", "business", "consecutive", "whole",   "additional",
                                "further",  "more",  "volle",   "vollen",   "ganze",       "weitere", "weiteren",
                                "complete", "short", "long",    "extra",    "other",       "us",      "metric",
                                "gute",     "guten", "mehr",    "academic", "fiscal"}) &&
        piece(at + 1)) {
      if (unit_at(pieces_, at + 1)) ++at;
    }
    auto unit = unit_at(pieces_, at);
    if (!unit && at > end) unit = glued_unit(pieces_[at]);
    if (!unit || !fits(pieces_[at], *unit, number, at)) return;
    if (number.form == ReadNumber::kShare) {
      if (unit->unit.dimension == Dimension::kPercent || number.value > 0.99) return;
      found.kind = QuantityKind::kNumber;  // "half an hour", "ein halbes Jahr", "3/4 cup"
    }
    if (number.form == ReadNumber::kOrdinal || number.form == ReadNumber::kFactor) return;
    found.unit = unit->unit;
    if (unit->doubt) found.second_unit = {Dimension::kMass, 0.45359237};
    end = at + unit->pieces;
    if (is(end, ".") && !pieces_[end].space && piece(end + 1) && pieces_[end + 1].space && !pieces_[end + 1].starts)
      ++end;
    // "heures et demie", "years and a half"
    if ((is(end, "et") && (is(end + 1, "demie") || is(end + 1, "demi"))) ||
        (is(end, "and") && is(end + 1, "a") && is(end + 2, "half"))) {
      found.value += 0.5;
      found.step = 0.5;
      end += is(end, "et") ? 2 : 3;
    }
    if (found.unit.dimension != Dimension::kPercent) per(found, end);
  }

  // "monatig" of "24-monatig", "prozentig".
  static std::optional<FoundUnit> glued_unit(const Piece& piece) {
    static constexpr std::pair<std::string_view, Unit> kEndings[] = {{"jährig", {Dimension::kMonths, 12, 0, 0, true}},
                                                                     {"monatig", {Dimension::kMonths, 1, 0, 0, true}},
                                                                     {"tägig", {Dimension::kTime, 86400}},
                                                                     {"stündig", {Dimension::kTime, 3600}},
                                                                     {"minütig", {Dimension::kTime, 60}},
                                                                     {"wöchig", {Dimension::kTime, 604800}},
                                                                     {"prozentig", {Dimension::kPercent, 1}}};
    for (const auto& [ending, unit] : kEndings) {
      if (piece.lower.starts_with(ending)) return FoundUnit{unit, 1};
    }
    return std::nullopt;
  }

  // Short names of units that are words, too, or that other numbers are followed by.
  bool fits(const Piece& word, const FoundUnit& unit, const ReadNumber& number, size_t at) const {
    if (word.kind == Piece::kSign) return !(word.is("$") && word.space);
    if (word.lower.size() == 1) {
      if (word.capital && !is_one_of(word, {"v", "w", "j", "l"}) && !(word.is("k") && word.space)) return false;
      if (number.words) return false;
      if (word.is("s") && !word.space && number.value >= 1000) return false;  // the 1990s
      if (is(at + 1, ".") && is(at + 2, "b")) return false;                   // "z. B."
      return !(is(at + 1, "'") && !pieces_[at + 1].space);                    // l'eau
    }
    if (is_one_of(word, {"to", "el", "tl", "ps", "kn", "as"}) && number.words) return false;
    if (word.is("au") && !word.upper) return false;
    if (word.is("an") && number.words && style_ != NumberStyle::kComma) return false;
    if (is_one_of(word, {"second", "seconds"}) && word.is("second") && number.value > 1) return false;
    return unit.pieces > 0;
  }

  // "per month", "/kg", "a year", "pro Stunde", "par an", "each"; after a noun, too: "10 requests per second".
  void per(Quantity& found, size_t& end) const {
    if (per_here(found, end, end)) return;
    for (size_t skip = 1; skip <= 2 && piece(end + skip); ++skip) {
      const Piece& noun = pieces_[end + skip - 1];
      if (noun.kind != Piece::kWord || noun.wide_space || !is_one_of(pieces_[end + skip], {"per", "pro", "par"}))
        continue;
      size_t ignored = end;
      if (per_here(found, end + skip, ignored)) return;
    }
  }
  bool per_here(Quantity& found, size_t at, size_t& end) const {
    const Piece* next = piece(at);
    if (!next || next->wide_space) return false;
    if (found.unit.dimension == Dimension::kMoney && per_the(found, at, end)) return true;
    const bool certain = is_one_of(*next, {"/", "per", "pro", "par", "je"});
    if (!certain && !is_one_of(*next, {"a", "an", "each", "every", "im", "jede", "jeden"})) return false;
    if (certain && piece(at + 2) && is_one_of(pieces_[at + 1], {"working", "business", "calendar", "full"})) ++at;
    if (!piece(at + 1) || pieces_[at + 1].kind == Piece::kDigits) return false;
    const auto below = unit_at(pieces_, at + 1);
    if (!below || below->unit.dimension == Dimension::kMoney || below->unit.dimension == Dimension::kPercent)
      return false;
    if (!certain && below->unit.dimension != Dimension::kTime && below->unit.dimension != Dimension::kMonths)
      return false;
    found.per = below->unit;
    end = at + 1 + below->pieces;
    return true;
  }
  // "0,46 € le litre", "48 € de l'heure", "3 Euro das Kilo".
  bool per_the(Quantity& found, size_t at, size_t& end) const {
    if (is(at, "de") && (is(at + 1, "l") || is(at + 1, "la"))) ++at;
    if (!is_one_of(pieces_[at], {"le", "la", "l", "das", "der", "die"})) return false;
    at += is(at, "l") && is(at + 1, "'") ? 2 : 1;
    const auto below = piece(at) ? unit_at(pieces_, at) : std::nullopt;
    if (!below || pieces_[at].lower.size() < 2 || below->unit.dimension == Dimension::kMoney ||
        below->unit.dimension == Dimension::kPercent)
      return false;
    found.per = below->unit;
    end = at + below->pieces;
    return true;
  }
  // "three times a week" is no factor.
  void frequency(Quantity& found, size_t& end) const {
    per(found, end);
    if (found.per.dimension == Dimension::kNone) return;
    found.kind = QuantityKind::kNumber;
    found.last_piece = end;
  }

  void bare(Quantity& found, const ReadNumber& number, size_t at) const {
    const bool four =
        !number.words && !number.grouped && !number.decimal && !number.scaled && pieces_[at].lower.size() == 4;
    found.year = four && number.value >= 1000 && number.value < 2200;
    const Piece* next = piece(found.last_piece);
    if (found.year && next && !next->space && next->is("s") && std::fmod(number.value, 10) == 0) {
      found.decade = true;
      ++found.last_piece;
    }
    if (found.year && next && (next->is("er")) && (!next->space || is(found.last_piece, "-"))) ++found.last_piece;
    // 2012-13, 2019/20: a season is its first year.
    if (found.year && next && !next->space && (next->is("-") || next->is("/") || next->is("\xE2\x80\x93")) &&
        piece(found.last_piece + 1) && !pieces_[found.last_piece + 1].space &&
        pieces_[found.last_piece + 1].kind == Piece::kDigits && pieces_[found.last_piece + 1].lower.size() == 2) {
      found.last_piece += 2;
    }
    // "3. Platz", and a list's number.
    if (next && next->is(".") && !next->space && !number.words && found.value < 100 && !number.decimal &&
        piece(found.last_piece + 1) && pieces_[found.last_piece + 1].space) {
      if (at == 0) {
        found.soft = true;
        found.kind = QuantityKind::kOrdinal;
      } else if (style_ == NumberStyle::kComma && pieces_[found.last_piece + 1].kind == Piece::kWord) {
        found.kind = QuantityKind::kOrdinal;
      }
    }
    // "one child in eight", "un enfant sur huit"
    const bool noun =
        number.value == 1 && next && next->kind == Piece::kWord && !next->wide_space &&
        (is(found.last_piece + 1, "in") || is(found.last_piece + 1, "sur") || is(found.last_piece + 1, "von")) &&
        !is(found.last_piece, "in");
    if (noun) {
      const auto below = piece(found.last_piece + 2) ? number_at(pieces_, found.last_piece + 2, style_) : std::nullopt;
      if (below && below->form == ReadNumber::kPlain && !below->article && below->value > 1 && below->value <= 100 &&
          below->value == std::floor(below->value) && !unit_at(pieces_, found.last_piece + 2 + below->pieces)) {
        found.kind = QuantityKind::kShare;
        found.value = 1 / below->value;
        found.step = 0.001;
        found.last_piece += 2 + below->pieces;
        return;
      }
    }
    // "one in four", "un sur quatre", "3 von 4".
    if ((is(found.last_piece, "in") || is(found.last_piece, "sur") || is(found.last_piece, "von") ||
         (is(found.last_piece, "out") && is(found.last_piece + 1, "of"))) &&
        number.value >= 1 && number.value < 100) {
      const size_t over = found.last_piece + (is(found.last_piece, "out") ? 2 : 1);
      if (over < pieces_.size()) {
        const auto below = number_at(pieces_, over, style_);
        if (below && below->form == ReadNumber::kPlain && !below->article && below->value > number.value &&
            below->value <= 1000 && (number.value == 1 || is(found.last_piece, "out") || is(found.last_piece, "sur"))) {
          found.kind = QuantityKind::kShare;
          found.value = number.value / below->value;
          found.step = 0.001;
          found.last_piece = over + below->pieces;
        }
      }
    }
  }

  // Small words for numbers after words that point back: "the two releases", "die beiden".
  void soften(Quantity& found, const ReadNumber& number) const {
    if (found.kind == QuantityKind::kOrdinal && number.words) found.soft = true;
    if (number.article) found.soft = true;
    if (!number.words || number.value > 4 || found.first_piece == 0 || found.kind != QuantityKind::kNumber) return;
    if (found.unit.dimension == Dimension::kNone &&
        is_one_of(pieces_[found.first_piece - 1],
                  {"the",   "these",  "those",  "both", "its",   "all",    "die",  "den",   "der",
                   "diese", "diesen", "dieser", "alle", "les",   "ces",    "des",  "other", "their",
                   "his",   "her",    "our",    "your", "seine", "seinen", "ihre", "ihren"})) {
      found.soft = true;
    }
  }

  std::string_view text_;
  std::span<const Piece> pieces_;
  NumberStyle style_;
  std::vector<Quantity> found_;
};

}  // namespace

std::vector<Quantity> find_quantities(std::string_view text, std::span<const Piece> pieces, NumberStyle style) {
  return Finder(text, pieces, style).find();
}

}  // namespace vsr::facts
