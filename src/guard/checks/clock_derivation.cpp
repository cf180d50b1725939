#include "guard/checks/clock_derivation.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "guard/checks/agreement.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

constexpr double kDay = 86400;
constexpr double kWidestZone = 14 * 3600;
constexpr size_t kMostClocks = 12;

bool says(const Statement& statement, std::initializer_list<std::string_view> words) {
  return std::any_of(statement.pieces.begin(), statement.pieces.end(), [&](const facts::Piece& piece) {
    return std::find(words.begin(), words.end(), piece.lower) != words.end();
  });
}

// The days of a week that a sentence names by their first and last; 0: none.
double days_of(const Statement& statement) {
  for (size_t i = 0; i + 1 < statement.quantities.size(); ++i) {
    const Quantity &first = statement.quantities[i], &last = statement.quantities[i + 1];
    if (first.kind == QuantityKind::kWeekday && last.kind == QuantityKind::kWeekday && first.range_begin)
      return std::fmod(last.value - first.value + 7, 7) + 1;
  }
  return says(statement, {"daily", "täglich", "quotidiennement"}) ? 7 : 0;
}

}  // namespace

void derive_zones(const ClaimView& view, const Quantity& target, const Operands& operands, DerivationJudge& judge) {
  for (const Operand& offset : operands.values) {
    if (offset.source >= Operand::kConstant || offset.unit.dimension != Dimension::kTime || offset.base <= 0 ||
        offset.base > kWidestZone ||
        !says(view.index().units()[offset.source].statement,
              {"ahead", "behind", "voraus", "zurück", "avance", "retard", "zeitverschiebung", "décalage"}))
      continue;
    size_t clocks = 0;
    for (size_t i = 0; i < operands.moments.size() && clocks < kMostClocks; ++i) {
      const Moment& a = operands.moments[i];
      if (a.minutes < 0) continue;
      ++clocks;
      for (size_t j = i + 1; j < operands.moments.size(); ++j) {
        const Moment& b = operands.moments[j];
        if (b.minutes < 0 || a.source != b.source) continue;
        const double gap = std::fmod((b.minutes - a.minutes) * 60 + kDay, kDay);
        for (const double sign : {1.0, -1.0}) {
          if (agrees_value(target, gap + sign * offset.base, false)) judge.offer_moments(0, {&a, &b}, &offset);
        }
      }
    }
  }
}

void derive_opening(const ClaimView& view, const Quantity& target, DerivationJudge& judge) {
  if (!says(view.claim(), {"week", "weekly", "woche", "wöchentlich", "semaine", "hebdomadaire"})) return;
  for (const NearUnit& near : view.units()) {
    const Statement& fact = view.unit(near).statement;
    const double days = days_of(fact);
    if (days == 0) continue;
    double seconds = 0;
    size_t clocks = 0;
    double from = 0;
    for (const Quantity& quantity : fact.quantities) {
      if (quantity.kind != QuantityKind::kClock) continue;
      if (clocks++ % 2 == 0) {
        from = quantity.value;
      } else if (quantity.value > from) {
        seconds += (quantity.value - from) * 60;
      }
    }
    if (clocks == 2 && agrees_value(target, days * seconds, false)) judge.accept({near.unit});
  }
}

}  // namespace vsr::guard
