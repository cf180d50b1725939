#include "facts/quantities/quantities.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "facts/quantities/date_reader.h"
#include "facts/quantities/hedges.h"
#include "facts/quantities/identifier_reader.h"
#include "facts/quantities/number_reader.h"
#include "facts/quantities/number_words.h"

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
    join();
    return std::move(found_);
  }

 private:
  const Piece* piece(size_t i) const { return i < pieces_.size() ? &pieces_[i] : nullptr; }
  bool is(size_t i, std::string_view text) const { return i < pieces_.size() && pieces_[i].is(text); }

  std::optional<Quantity> at(size_t i) {
    const Piece& first = pieces_[i];
    if (first.kind != Piece::kSign) {
      if (auto date = date_at(pieces_, i)) return date;
      if (auto clock = clock_at(pieces_, i)) return clock;
    }
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
      if (word.capital && !is_one_of(word, {"v", "w", "j", "l"})) return false;
      if (number.words) return false;
      if (is(at + 1, ".") && is(at + 2, "b")) return false;  // "z. B."
      return !(is(at + 1, "'") && !pieces_[at + 1].space);   // l'eau
    }
    if (is_one_of(word, {"an", "to", "el", "tl", "ps", "kn", "as"}) && number.words) return false;
    if (is_one_of(word, {"second", "seconds"}) && word.is("second") && number.value > 1) return false;
    return unit.pieces > 0;
  }

  // "per month", "/kg", "a year", "pro Stunde", "par an", "each".
  void per(Quantity& found, size_t& end) const {
    const Piece* next = piece(end);
    if (!next || next->wide_space) return;
    const bool certain = is_one_of(*next, {"/", "per", "pro", "par", "je"});
    if (!certain && !is_one_of(*next, {"a", "an", "each", "every", "im", "jede", "jeden", "jährlich"})) return;
    if (!piece(end + 1) || pieces_[end + 1].kind == Piece::kDigits) return;
    const auto below = unit_at(pieces_, end + 1);
    if (!below || below->unit.dimension == Dimension::kMoney || below->unit.dimension == Dimension::kPercent) return;
    if (!certain && below->unit.dimension != Dimension::kTime && below->unit.dimension != Dimension::kMonths) return;
    found.per = below->unit;
    end += 1 + below->pieces;
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

  // What two neighbours are together: "1 hour 25 minutes"; "10 to 15 km"; clocks that have a date.
  void join() {
    for (size_t i = 0; i + 1 < found_.size();) {
      Quantity &a = found_[i], &b = found_[i + 1];
      const size_t between = b.first_piece - a.last_piece;
      const bool measures =
          a.kind == QuantityKind::kNumber && b.kind == QuantityKind::kNumber && b.unit.dimension != Dimension::kNone;
      const bool joined = between == 0 || (between == 1 && is_one_of(pieces_[a.last_piece], {"and", "und", "et", ","}));
      if (measures && joined && a.unit.dimension == b.unit.dimension && a.unit.offset == 0 &&
          a.unit.factor > b.unit.factor &&
          (a.unit.dimension == Dimension::kTime || a.unit.dimension == Dimension::kMonths ||
           a.unit.dimension == Dimension::kLength || a.unit.dimension == Dimension::kMass) &&
          b.value * b.unit.factor < a.unit.factor && a.per.dimension == Dimension::kNone) {
        a.value = a.value * (a.unit.factor / b.unit.factor) + b.value;
        a.step = b.step;
        a.unit = b.unit;
        a.end = b.end;
        a.last_piece = b.last_piece;
        found_.erase(found_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        continue;
      }
      const bool to =
          between == 1 && is_one_of(pieces_[a.last_piece], {"-", "\xE2\x80\x93", "to", "bis", "à", "or", "oder", "ou"});
      const bool and_between = between == 1 && is_one_of(pieces_[a.last_piece], {"and", "und", "et"}) &&
                               a.first_piece > 0 &&
                               is_one_of(pieces_[a.first_piece - 1], {"between", "zwischen", "entre"});
      if (measures && (to || and_between) && a.unit.dimension == Dimension::kNone && !a.soft) {
        a.unit = b.unit;
        a.year = false;
        if (b.scaled && !a.scaled && b.step > 0) {
          double scale = 1;
          for (const double candidate : {1e3, 1e6, 1e9}) {
            if (std::fabs(b.value) >= candidate && a.value < 1000) scale = candidate;
          }
          a.value *= scale;
          a.step *= scale;
        }
      }
      if (to || and_between) a.range_begin = true;
      // "from 3 to 5 May", "12.–15. Mai"
      if (to && a.kind == QuantityKind::kNumber && b.kind == QuantityKind::kDate && b.date.day > 0 && a.value >= 1 &&
          a.value <= 31 && !a.decimal) {
        a.kind = QuantityKind::kDate;
        a.date = {b.date.year, b.date.month, static_cast<int8_t>(a.value)};
      }
      ++i;
    }
    // A year that the second of two dates gives: "from 3 May to 5 June 2024".
    for (size_t i = 0; i + 1 < found_.size(); ++i) {
      Quantity &a = found_[i], &b = found_[i + 1];
      if (a.kind == QuantityKind::kDate && b.kind == QuantityKind::kDate && a.date.year == 0 && b.date.year != 0 &&
          a.date.day > 0 && b.date.day > 0 && b.first_piece - a.last_piece <= 2 && a.date.month <= b.date.month) {
        a.date.year = b.date.year;
      }
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
