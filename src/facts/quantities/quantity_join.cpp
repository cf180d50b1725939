#include "facts/quantities/quantity_join.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

namespace vsr::facts {
namespace {

bool is_one_of(const Piece& piece, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), piece.lower) != words.end();
}

// "36 hectares, of which 27 are red": hectares, too.
void part_of_unit(std::span<const Piece> pieces, std::vector<Quantity>& found) {
  for (size_t i = 0; i + 1 < found.size(); ++i) {
    const Quantity& a = found[i];
    Quantity& b = found[i + 1];
    if (a.kind != QuantityKind::kNumber || a.unit.dimension == Dimension::kNone ||
        a.unit.dimension == Dimension::kPercent || b.kind != QuantityKind::kNumber ||
        b.unit.dimension != Dimension::kNone || b.year || b.soft || b.first_piece == 0)
      continue;
    const bool part = is_one_of(pieces[b.first_piece - 1], {"dont", "davon", "darunter", "which", "them", "whom"});
    const bool noun = b.last_piece < pieces.size() && pieces[b.last_piece].kind == Piece::kWord &&
                      !is_one_of(pieces[b.last_piece], {"in", "en", "im", "are", "were", "is", "was", "sind", "waren",
                                                        "sont", "étaient", "for", "für", "pour", "have", "as", "als"});
    if (part && !noun) b.unit = a.unit;
  }
}

}  // namespace

void join_quantities(std::span<const Piece> pieces, std::vector<Quantity>& found) {
  for (size_t i = 0; i + 1 < found.size();) {
    Quantity &a = found[i], &b = found[i + 1];
    const size_t between = b.first_piece - a.last_piece;
    const bool measures =
        a.kind == QuantityKind::kNumber && b.kind == QuantityKind::kNumber && b.unit.dimension != Dimension::kNone;
    const bool joined = between == 0 || (between == 1 && is_one_of(pieces[a.last_piece], {"and", "und", "et", ","}));
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
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      continue;
    }
    const bool to = between == 1 && is_one_of(pieces[a.last_piece], {"-", "\xE2\x80\x93", "to", "bis", "à", "au",
                                                                     "until", "till", "through", "or", "oder", "ou"});
    const bool and_between = between == 1 && is_one_of(pieces[a.last_piece], {"and", "und", "et"}) &&
                             a.first_piece > 0 &&
                             is_one_of(pieces[a.first_piece - 1], {"between", "zwischen", "entre"});
    const bool from =
        between == 1 && pieces[a.last_piece].is("auf") && a.first_piece > 0 && pieces[a.first_piece - 1].is("von");
    if (measures && (to || and_between || from) && a.unit.dimension == Dimension::kNone && !a.soft) {
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
    if (a.kind == QuantityKind::kNumber && b.kind == QuantityKind::kNumber && to &&
        a.unit.dimension == Dimension::kMoney && b.unit.dimension == Dimension::kNone) {  // "$5-7 million"
      b.unit = a.unit;
      if (b.scaled && !a.scaled && std::fabs(a.value) < 1000 && std::fabs(b.value) >= 1000) {
        const double scale = std::fabs(b.value) >= 1e9 ? 1e9 : std::fabs(b.value) >= 1e6 ? 1e6 : 1e3;
        a.value *= scale;
        a.step *= scale;
      }
    }
    if (to || and_between) a.range_begin = true;  // "vom 4. bis 11. Oktober"
    const bool dotted = between == 2 && pieces[a.last_piece].is(".") &&
                        is_one_of(pieces[a.last_piece + 1], {"bis", "-", "\xE2\x80\x93", "und"});
    if (dotted && b.kind == QuantityKind::kDate && b.date.day > 0 &&
        (a.kind == QuantityKind::kNumber || a.kind == QuantityKind::kOrdinal) && a.value >= 1 && a.value <= 31 &&
        !a.decimal) {
      a.kind = QuantityKind::kDate;
      a.soft = false;
      a.date = {b.date.year, b.date.month, static_cast<int8_t>(a.value)};
    }
    // "7.00 bis 16.30 Uhr", "9 to 5 pm"
    if (to && b.kind == QuantityKind::kClock && a.kind == QuantityKind::kNumber &&
        a.unit.dimension == Dimension::kNone && a.value >= 0 && a.value < 24.6 && (!a.decimal || a.step == 0.01)) {
      a.kind = QuantityKind::kClock;
      a.value = std::floor(a.value) * 60 + std::round((a.value - std::floor(a.value)) * 100);
    }
    // "from 3 to 5 May", "12.–15. Mai"
    if (to && a.kind == QuantityKind::kNumber && b.kind == QuantityKind::kDate && b.date.day > 0 && a.value >= 1 &&
        a.value <= 31 && !a.decimal) {
      a.kind = QuantityKind::kDate;
      a.date = {b.date.year, b.date.month, static_cast<int8_t>(a.value)};
    }
    ++i;
  }  // "80, 75 and 90 percent": the last one's unit is that of all.
  bool shared = false;
  for (size_t i = found.size(); i-- > 1;) {
    Quantity &a = found[i - 1], &b = found[i];
    const bool last =
        b.first_piece - a.last_piece == 1 && is_one_of(pieces[a.last_piece], {"and", "und", "et", "or", "oder", "ou"});
    const bool list = b.first_piece - a.last_piece == 1 && pieces[a.last_piece].is(",") && shared;
    shared = (last || list) && a.kind == QuantityKind::kNumber && b.kind == QuantityKind::kNumber && !a.year &&
             !a.soft && !a.words && a.unit.dimension == Dimension::kNone && b.unit.dimension != Dimension::kNone;
    if (shared) a.unit = b.unit;
  }
  // "from $482.6 million to 500 million": millions of the same.
  for (size_t i = 0; i + 1 < found.size(); ++i) {
    const Quantity& a = found[i];
    if (a.kind != QuantityKind::kNumber || a.unit.dimension != Dimension::kMoney || !a.scaled) continue;
    for (size_t k = i + 1; k < found.size() && k < i + 4; ++k) {
      Quantity& b = found[k];
      const bool noun = b.last_piece < pieces.size() && pieces[b.last_piece].kind == Piece::kWord &&
                        !is_one_of(pieces[b.last_piece],
                                   {"in",   "en",   "im",     "the",   "a",    "last",    "compared", "from",   "to",
                                    "and",  "und",  "et",     "for",   "this", "at",      "by",       "or",     "au",
                                    "pour", "bis",  "nach",   "per",   "as",   "after",   "than",     "during", "but",
                                    "more", "less", "higher", "lower", "mehr", "weniger", "über",     "unter",  "de"});
      if (b.kind == QuantityKind::kNumber && b.unit.dimension == Dimension::kNone && b.scaled && !noun) b.unit = a.unit;
    }
  }
  part_of_unit(pieces, found);
  // A year that the second of two dates gives: "from 3 May to 5 June 2024".
  for (size_t i = 0; i + 1 < found.size(); ++i) {
    Quantity &a = found[i], &b = found[i + 1];
    if (a.kind == QuantityKind::kDate && b.kind == QuantityKind::kDate && a.date.year == 0 && b.date.year != 0 &&
        a.date.day > 0 && b.date.day > 0 && b.first_piece - a.last_piece <= 2 && a.date.month <= b.date.month) {
      a.date.year = b.date.year;
    }
  }
}

}  // namespace vsr::facts
