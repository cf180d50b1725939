#include "guard/checks/operands.h"

#include <algorithm>
#include <cmath>

#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

constexpr double kDay = 86400;

// "monthly", "annual": what a value is per where its clause says so and the value does not.
facts::Unit period_of(const Statement& statement, uint16_t segment) {
  const Segment& range = statement.segments[segment];
  for (size_t i = range.begin; i < range.end; ++i) {
    const std::string& word = statement.pieces[i].lower;
    if (word.starts_with("monthly") || word.starts_with("monatlich") || word.starts_with("mensuel"))
      return {Dimension::kMonths, 1, 0, 0, true};
    if (word.starts_with("annual") || word.starts_with("yearly") || word.starts_with("jährlich") ||
        word.starts_with("annuel")) {
      return {Dimension::kMonths, 12, 0, 0, true};
    }
    if (word.starts_with("weekly") || word.starts_with("wöchentlich") || word.starts_with("hebdomadaire"))
      return {Dimension::kTime, 7 * kDay};
    if (word.starts_with("daily") || word.starts_with("täglich") || word.starts_with("quotidien"))
      return {Dimension::kTime, kDay};
  }
  return {};
}

bool is_value(const Quantity& quantity) {
  return quantity.kind == QuantityKind::kNumber || quantity.kind == QuantityKind::kShare ||
         quantity.kind == QuantityKind::kFactor;
}

Operand operand_of(const Quantity& quantity, uint32_t source, uint32_t fact, bool relevant, size_t number) {
  Operand operand{.unit = quantity.unit,
                  .per = quantity.per,
                  .source = source,
                  .fact = fact,
                  .relevant = relevant,
                  .year = quantity.year,
                  .quantity = number};
  operand.base = quantity.value * quantity.unit.factor;
  if (quantity.unit.dimension == Dimension::kPercent) operand.base /= 100;
  if (quantity.kind == QuantityKind::kShare) operand.unit = {Dimension::kPercent, 1};
  return operand;
}

void add_moment(const Statement& statement, size_t i, uint32_t source, uint32_t fact, bool relevant, Operands& out) {
  const Quantity& quantity = statement.quantities[i];
  if (quantity.kind == QuantityKind::kDate && quantity.date.year != 0) {
    out.moments.push_back({quantity.date, -1, source, fact, relevant});
  } else if (quantity.kind == QuantityKind::kDate && quantity.date.day != 0) {
    out.moments.push_back({quantity.date, -1, source, fact, relevant});
  } else if (quantity.year) {
    out.moments.push_back({{static_cast<int32_t>(quantity.value), 0, 0}, -1, source, fact, relevant});
  } else if (quantity.kind == QuantityKind::kClock) {
    out.moments.push_back({{}, quantity.value, source, fact, relevant});
  }
}

}  // namespace

Operands operands_of(const ClaimView& view, size_t quantity) {
  Operands out;
  const Statement& claim = view.claim();
  for (size_t i = 0; i < claim.quantities.size(); ++i) {
    if (i == quantity) continue;
    if (is_value(claim.quantities[i]))
      out.values.push_back(operand_of(claim.quantities[i], Operand::kClaim, 0, true, i));
    add_moment(claim, i, Operand::kClaim, 0, true, out);
  }
  for (const NearUnit& near : view.units()) {
    const FactUnit& unit = view.unit(near);
    for (size_t i = 0; i < unit.statement.quantities.size(); ++i) {
      add_moment(unit.statement, i, near.unit, unit.fact, near.relevant, out);
      if (!is_value(unit.statement.quantities[i]) || out.values.size() >= Operands::kMost) continue;
      Operand operand = operand_of(unit.statement.quantities[i], near.unit, unit.fact, near.relevant, i);
      if (operand.per.dimension == Dimension::kNone && operand.unit.dimension != Dimension::kNone &&
          operand.unit.dimension != Dimension::kTime && operand.unit.dimension != Dimension::kMonths) {
        operand.per = period_of(unit.statement, unit.statement.quantity_segments[i]);
      }
      out.values.push_back(operand);
    }
    if (near.relevant || view.index().units().size() < 16) {
      for (const double count : unit.counts) {
        out.values.push_back(
            {.base = count, .source = near.unit, .fact = unit.fact, .relevant = near.relevant, .count = true});
      }
    }
  }
  if (claim.traits & kYearly) {
    const auto constant = [&](Dimension dimension, double base) {
      out.values.push_back({.base = base, .unit = {dimension, 1}, .source = Operand::kConstant, .relevant = true});
    };
    for (const auto& piece : claim.pieces) {
      const std::string& word = piece.lower;
      if (word.starts_with("year") || word.starts_with("annual") || word.starts_with("jahr") ||
          word.starts_with("jähr") || word == "an" || word.starts_with("année") || word.starts_with("annuel")) {
        constant(Dimension::kMonths, 12);
        constant(Dimension::kTime, 365 * kDay);
        constant(Dimension::kTime, 364 * kDay);  // 52 weeks
        break;
      }
      if (word.starts_with("week") || word.starts_with("woche") || word.starts_with("wöchentlich") ||
          word.starts_with("semaine")) {
        constant(Dimension::kTime, 7 * kDay);
        break;
      }
      if (word == "day" || word == "daily" || word == "tag" || word == "täglich" || word == "jour") {
        constant(Dimension::kTime, kDay);
        break;
      }
      if (word == "hour" || word == "hourly" || word == "stunde" || word == "heure") {
        constant(Dimension::kTime, 3600);
        break;
      }
      if (word == "month" || word == "monthly" || word == "monat" || word == "monatlich" || word == "mois") {
        constant(Dimension::kMonths, 1);
        break;
      }
    }
  }
  return out;
}

}  // namespace vsr::guard
