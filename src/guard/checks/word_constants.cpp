#include "guard/checks/word_constants.h"

#include <algorithm>
#include <string_view>

#include "facts/quantities/number_words.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Unit;

constexpr double kDay = 86400;

// Words in lower case, or their beginnings where they end with "*".
struct Row {
  std::string_view words;
  WordConstant constants[3];
};
constexpr Row kRows[] = {
    {"year* annual* jahr jahres* jahre* jähr* an année* annuel*",
     {{12, {Dimension::kMonths, 1}}, {365 * kDay, {Dimension::kTime, 1}}, {364 * kDay, {Dimension::kTime, 1}}}},
    {"half-year semester semestre halbjahr*", {{6, {Dimension::kMonths, 1}}}},
    {"quarter quarterly quartal* trimestre* trimestriel* vierteljahr*", {{3, {Dimension::kMonths, 1}}}},
    {"month monthly monat monats* monatlich mois mensuel*", {{1, {Dimension::kMonths, 1}}}},
    {"week* woche* wöchentlich semaine* hebdomadaire*", {{7 * kDay, {Dimension::kTime, 1}}}},
    {"weekend weekends wochenende*", {{2 * kDay, {Dimension::kTime, 1}}}},
    {"fortnight* quinzaine", {{14 * kDay, {Dimension::kTime, 1}}}},
    {"day daily tag tages* täglich jour quotidien*", {{kDay, {Dimension::kTime, 1}}}},
    {"hour hourly stunde stunden* heure horaire", {{3600, {Dimension::kTime, 1}}}},
    {"decade jahrzehnt* décennie", {{120, {Dimension::kMonths, 1}}}},
    {"return roundtrip round-trip aller-retour hin both beide beiden couple pair paar radius rayon halfway midpoint "
     "halbzeit twice double doubles doppelzimmer doubling",
     {{2, {}}}},
    {"dozen dutzend douzaine", {{12, {}}}},
    {"workweek workday* arbeitswoche", {{5 * kDay, {Dimension::kTime, 1}}}},
};

bool matches(std::string_view word, std::string_view row) {
  for (size_t i = 0; i < row.size();) {
    const size_t end = std::min(row.find(' ', i), row.size());
    const std::string_view entry = row.substr(i, end - i);
    if (entry.ends_with('*') ? word.starts_with(entry.substr(0, entry.size() - 1)) : word == entry) return true;
    i = end + 1;
  }
  return false;
}

}  // namespace

std::vector<WordConstant> word_constants(const Statement& claim) {
  std::vector<WordConstant> found;
  const auto add = [&](const WordConstant& constant) {
    if (constant.base > 0 && std::none_of(found.begin(), found.end(), [&](const WordConstant& other) {
          return other.base == constant.base && other.unit.dimension == constant.unit.dimension;
        }))
      found.push_back(constant);
  };
  const bool daily = std::any_of(claim.pieces.begin(), claim.pieces.end(), [](const facts::Piece& piece) {
    return matches(piece.lower, "day daily tag täglich jour quotidien*");
  });
  for (const auto& piece : claim.pieces) {
    if (piece.kind != facts::Piece::kWord) continue;
    for (const Row& row : kRows) {
      if (!matches(piece.lower, row.words)) continue;
      for (const WordConstant& constant : row.constants) add(constant);
    }
    // The days of a month that the claim names.
    const int month = !daily ? 0 : piece.capital || piece.lower.size() > 4 ? facts::month_of(piece.lower) : 0;
    if (month > 0) add({facts::days_in_month(2001, month) * kDay, {Dimension::kTime, 1}});
  }
  return found;
}

double times_a_day(const Statement& statement) {
  const auto& pieces = statement.pieces;
  double meals = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].kind != facts::Piece::kWord) continue;
    meals += matches(pieces[i].lower,
                     "morning morgens noon midday mittags evening abends matin midi soir night nachts bedtime");
    if (!matches(pieces[i].lower, "every alle toutes tous")) continue;
    for (size_t q = 0; q < statement.quantities.size(); ++q) {
      const auto& quantity = statement.quantities[q];
      const double seconds = quantity.base();
      const bool next = quantity.first_piece > i && quantity.first_piece <= i + 2;
      if (next && quantity.unit.dimension == Dimension::kTime && seconds > 0 && seconds < kDay) return kDay / seconds;
    }
  }
  return meals;
}

Unit period_of_word(std::string_view word) {
  if (matches(word, "monthly monatlich* mensuel* monatsmittel monatsdurchschnitt"))
    return {Dimension::kMonths, 1, 0, 0, true};
  if (matches(word, "annual* yearly jährlich* annuel* jahresbeitrag* jahresmittel"))
    return {Dimension::kMonths, 12, 0, 0, true};
  if (matches(word, "quarterly quartalsweise vierteljährlich* trimestriel*"))
    return {Dimension::kMonths, 3, 0, 0, true};
  if (matches(word, "weekly wöchentlich* hebdomadaire*")) return {Dimension::kTime, 7 * kDay};
  if (matches(word, "daily täglich* quotidien* tagesdosis tagesmittel")) return {Dimension::kTime, kDay};
  if (matches(word, "hourly stündlich* horaire")) return {Dimension::kTime, 3600};
  return {};
}

bool counts_years(const Statement& claim, const facts::Quantity& quantity) {
  if (quantity.kind != facts::QuantityKind::kOrdinal && quantity.kind != facts::QuantityKind::kNumber) return false;
  if (quantity.unit.dimension != Dimension::kNone || quantity.year || quantity.decimal || quantity.value < 1 ||
      quantity.value > 5000)
    return false;
  const bool turned = quantity.first_piece > 0 &&
                      matches(claim.pieces[quantity.first_piece - 1].lower, "turned turns turn wurde wird aged alter");
  if (turned && quantity.kind == facts::QuantityKind::kNumber) return true;
  // The word comes right after the number: "50. Geburtstag", "50e anniversaire", or it is the claim's verb.
  for (size_t i = quantity.last_piece; i < std::min(quantity.last_piece + 3, claim.pieces.size()); ++i) {
    if (matches(claim.pieces[i].lower, "anniversary birthday jubiläum* jahrestag* geburtstag* anniversaire bestehen"))
      return true;
  }
  return std::any_of(claim.pieces.begin(), claim.pieces.end(),
                     [](const facts::Piece& piece) { return matches(piece.lower, "jährt jährte"); });
}

}  // namespace vsr::guard
