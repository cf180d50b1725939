#include "guard/checks/operands.h"

#include <algorithm>
#include <cmath>

#include "guard/checks/word_constants.h"
#include "guard/checks/word_lists.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

constexpr double kDay = 86400;

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
  operand.frequency = quantity.kind == QuantityKind::kFactor ||
                      (quantity.unit.dimension == Dimension::kNone && quantity.per.dimension != Dimension::kNone);
  if (quantity.kind == QuantityKind::kShare) operand.unit = {Dimension::kPercent, 1};
  return operand;
}

void add_moment(const Statement& statement, size_t i, uint32_t source, uint32_t fact, bool relevant, Operands& out) {
  const Quantity& quantity = statement.quantities[i];
  if (quantity.kind == QuantityKind::kDate && quantity.date.year != 0) {
    out.moments.push_back({quantity.date, -1, source, fact, relevant});
  } else if (quantity.kind == QuantityKind::kDate && quantity.date.day != 0) {
    out.moments.push_back({quantity.date, -1, source, fact, relevant});
  } else if (quantity.year && !quantity.century) {
    out.moments.push_back({{static_cast<int32_t>(quantity.value), 0, 0}, -1, source, fact, relevant});
  } else if (quantity.kind == QuantityKind::kClock) {
    out.moments.push_back({{}, quantity.value, source, fact, relevant});
  }
}

// "78. Minute", "day 10": a place in time.
bool add_place(const Statement& statement, size_t i, const NearUnit& near, uint32_t fact, Operands& out) {
  const Quantity& quantity = statement.quantities[i];
  if (quantity.kind != QuantityKind::kOrdinal || quantity.soft) return false;
  size_t next = quantity.last_piece;
  if (next < statement.pieces.size() && statement.pieces[next].is(".")) ++next;
  const auto unit = facts::unit_at(statement.pieces, next);
  if (!unit || (unit->unit.dimension != Dimension::kTime && unit->unit.dimension != Dimension::kMonths)) return false;
  out.values.push_back({.base = quantity.value * unit->unit.factor,
                        .unit = unit->unit,
                        .source = near.unit,
                        .fact = fact,
                        .relevant = near.relevant,
                        .quantity = i});
  return true;
}

// What lies between the two dates of one sentence.
void add_span(const FactUnit& unit, const NearUnit& near, Operands& out) {
  const Quantity* dates[2] = {};
  size_t count = 0;
  for (const Quantity& quantity : unit.statement.quantities) {
    if (quantity.kind != QuantityKind::kDate || !quantity.date.whole()) continue;
    if (count < 2) dates[count] = &quantity;
    ++count;
  }
  if (count != 2) return;
  const auto day = [](const Quantity& q) { return facts::day_number(q.date.year, q.date.month, q.date.day); };
  const auto days = static_cast<double>(day(*dates[1]) - day(*dates[0]));
  if (days <= 0 || days > 1000) return;
  out.values.push_back({.base = days * kDay,
                        .unit = {Dimension::kTime, 1},
                        .source = near.unit,
                        .fact = unit.fact,
                        .relevant = near.relevant});
}

// The only values of a dimension among the facts, and the only two dates, are meant whatever words the claim has.
void alone_are_relevant(Operands& out) {
  for (Operand& operand : out.values) {
    if (operand.relevant || (operand.unit.dimension == Dimension::kNone && !operand.frequency)) continue;
    const auto alike = [&](const Operand& other) {
      return other.source < Operand::kConstant && other.frequency == operand.frequency &&
             other.unit.dimension == operand.unit.dimension && other.unit.currency == operand.unit.currency;
    };
    operand.relevant = std::count_if(out.values.begin(), out.values.end(), alike) == 1;
  }
  const auto whole = [](const Moment& moment) {
    return moment.minutes < 0 && moment.date.whole() && moment.source < Operand::kConstant;
  };
  if (std::count_if(out.moments.begin(), out.moments.end(), whole) > 2) return;
  for (Moment& moment : out.moments) moment.relevant |= whole(moment);
}

}  // namespace

facts::Unit period_of(const Statement& statement, uint16_t segment) {
  const Segment& range = statement.segments[segment];
  for (size_t i = range.begin; i < range.end; ++i) {
    const std::string& word = statement.pieces[i].lower;
    if (const facts::Unit period = period_of_word(word); period.dimension != Dimension::kNone) return period;
    static constexpr std::string_view kEach[] = {"a",    "an",    "one",   "each", "every", "per", "ein",
                                                 "eine", "jeder", "jedes", "jede", "pro",   "je",  "im",
                                                 "un",   "une",   "le",    "par",  "chaque"};
    if (std::find(std::begin(kEach), std::end(kEach), word) == std::end(kEach) || statement.in_quantity[i] ||
        i + 1 >= range.end)
      continue;
    const auto unit = facts::unit_at(statement.pieces, i + 1);
    if (unit && unit->unit.dimension != Dimension::kMoney && unit->unit.dimension != Dimension::kPercent &&
        statement.pieces[i + 1].lower.size() > 2) {
      return unit->unit;
    }
    // "a working day", "ein ganzer Tag"
    if (i + 2 < range.end && statement.pieces[i + 1].kind == facts::Piece::kWord && !statement.in_quantity[i + 1]) {
      const auto next = facts::unit_at(statement.pieces, i + 2);
      if (next && next->unit.dimension == Dimension::kTime && statement.pieces[i + 2].lower.size() > 2)
        return next->unit;
    }
  }
  // "the hour costs", "die Stunde kostet"
  for (size_t i = range.begin + 1; i + 1 < range.end; ++i) {
    static constexpr std::string_view kCosts[] = {"costs", "cost", "kostet", "kostete", "coûte", "coûtait", "revient"};
    if (std::find(std::begin(kCosts), std::end(kCosts), statement.pieces[i + 1].lower) == std::end(kCosts)) continue;
    const auto unit = facts::unit_at(statement.pieces, i);
    if (unit && !statement.in_quantity[i] && unit->unit.dimension != Dimension::kMoney &&
        statement.pieces[i].lower.size() > 2)
      return unit->unit;
  }
  return {};
}

Operands operands_of(const ClaimView& view, size_t quantity) {
  Operands out;
  const Statement& claim = view.claim();
  for (size_t i = 0; i < claim.quantities.size(); ++i) {
    if (i == quantity) continue;
    if (is_value(claim.quantities[i]))
      out.values.push_back(operand_of(claim.quantities[i], Operand::kClaim, 0, true, i));
    if (counts_years(claim, claim.quantities[i])) {
      out.values.push_back({.base = claim.quantities[i].value * 12,
                            .unit = {Dimension::kMonths, 1, 0, 0, true},
                            .source = Operand::kClaim,
                            .relevant = true,
                            .quantity = i});
    }
    add_moment(claim, i, Operand::kClaim, 0, true, out);
  }
  for (const NearUnit& near : view.units()) {
    const FactUnit& unit = view.unit(near);
    for (size_t i = 0; i < unit.statement.quantities.size(); ++i) {
      add_moment(unit.statement, i, near.unit, unit.fact, near.relevant, out);
      if (out.values.size() < Operands::kMost && add_place(unit.statement, i, near, unit.fact, out)) continue;
      if (!is_value(unit.statement.quantities[i]) || out.values.size() >= Operands::kMost) continue;
      Operand operand = operand_of(unit.statement.quantities[i], near.unit, unit.fact, near.relevant, i);
      if (operand.per.dimension == Dimension::kNone && operand.unit.dimension != Dimension::kNone &&
          operand.unit.dimension != Dimension::kTime && operand.unit.dimension != Dimension::kMonths) {
        operand.per = period_of(unit.statement, unit.statement.quantity_segments[i]);
      }
      out.values.push_back(operand);
    }
    add_span(unit, near, out);
    if (unit.times_a_day > 1) {
      out.values.push_back({.base = unit.times_a_day,
                            .per = {Dimension::kTime, kDay},
                            .source = near.unit,
                            .fact = unit.fact,
                            .relevant = near.relevant,
                            .frequency = true});
    }
    if (near.relevant || view.index().units().size() < 16) {
      for (const double count : unit.counts) {
        out.values.push_back(
            {.base = count, .source = near.unit, .fact = unit.fact, .relevant = near.relevant, .count = true});
      }
    }
  }
  for (const Quantity& known : view.established()) {
    out.values.push_back(operand_of(known, Operand::kConstant, 0, true, 0));
    out.values.back().established = true;
    if (known.kind == QuantityKind::kDate && known.date.year != 0)
      out.moments.push_back({known.date, -1, Operand::kConstant, 0, true});
  }
  alone_are_relevant(out);
  for (const WordConstant& constant : word_constants(claim))
    out.values.push_back({.base = constant.base, .unit = constant.unit, .relevant = true});
  return out;
}

}  // namespace vsr::guard
