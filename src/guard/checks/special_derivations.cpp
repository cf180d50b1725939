#include "guard/checks/special_derivations.h"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;
using facts::QuantityKind;

bool says(const ClaimView& view, std::initializer_list<std::string_view> words) {
  return std::any_of(view.claim().pieces.begin(), view.claim().pieces.end(), [&](const facts::Piece& piece) {
    return std::find(words.begin(), words.end(), piece.lower) != words.end();
  });
}

constexpr float kBonus = 1.2F, kBonusOfSizes = 0.6F;

}  // namespace

void derive_dimension(const Quantity& target, const Operand& a, const Operand& b, DerivationJudge& judge) {
  // That it comes out in another dimension is hardly chance.
  const bool size = target.unit.dimension == Dimension::kArea || target.unit.dimension == Dimension::kVolume;
  const auto offer = [&](double base, float cost) {
    judge.offer(base, true, cost - (size ? kBonusOfSizes : kBonus), {&a, &b});
  };
  const auto both = [&](Dimension x, Dimension y, const Operand*& first, const Operand*& second) {
    if (a.unit.dimension == x && b.unit.dimension == y) {
      first = &a;
      second = &b;
      return true;
    }
    if (a.unit.dimension == y && b.unit.dimension == x) {
      first = &b;
      second = &a;
      return true;
    }
    return false;
  };
  const Operand *x = nullptr, *y = nullptr;
  switch (target.unit.dimension) {
    case Dimension::kArea:
      if (both(Dimension::kLength, Dimension::kLength, x, y)) offer(a.base * b.base, 0);
      break;
    case Dimension::kVolume:
      if (both(Dimension::kArea, Dimension::kLength, x, y)) offer(a.base * b.base, 0);
      break;
    case Dimension::kSpeed:
      if (both(Dimension::kLength, Dimension::kTime, x, y)) offer(x->base / y->base, 0);
      break;
    case Dimension::kLength:
      if (both(Dimension::kSpeed, Dimension::kTime, x, y)) offer(a.base * b.base, 0);
      if (both(Dimension::kArea, Dimension::kLength, x, y)) offer(x->base / y->base, 0.3F);
      break;
    case Dimension::kTime:
      if (both(Dimension::kLength, Dimension::kSpeed, x, y)) offer(x->base / y->base, 0);
      if (both(Dimension::kEnergy, Dimension::kPower, x, y)) offer(x->base / y->base, 0);
      if (both(Dimension::kData, Dimension::kDataRate, x, y)) offer(x->base / y->base, 0);
      break;
    case Dimension::kEnergy:
      if (both(Dimension::kPower, Dimension::kTime, x, y)) offer(a.base * b.base, 0);
      break;
    case Dimension::kPower:
      if (both(Dimension::kVoltage, Dimension::kCurrent, x, y)) offer(a.base * b.base, 0);
      if (both(Dimension::kEnergy, Dimension::kTime, x, y)) offer(x->base / y->base, 0);
      break;
    default:
      break;
  }
}

void derive_neighbour(const ClaimView& view, DerivationJudge& judge) {
  const bool next =
      says(view, {"next", "following", "coming", "nächste", "nächsten", "kommende", "prochain", "prochaine"});
  const bool last = says(view, {"last", "previous", "vorige", "letzte", "vorherige", "précédent", "précédente"});
  if (!next && !last) return;
  for (const NearUnit& near : view.units()) {
    const FactUnit& unit = view.unit(near);
    for (const Quantity& fact : unit.statement.quantities) {
      if (fact.kind != QuantityKind::kOrdinal) continue;
      const Operand operand{.base = fact.value, .source = near.unit, .fact = unit.fact, .relevant = near.relevant};
      if (next) judge.offer(fact.value + 1, false, 0, {&operand});
      if (last) judge.offer(fact.value - 1, false, 0, {&operand});
    }
  }
}

void derive_score(const ClaimView& view, const Quantity& target, DerivationJudge& judge) {
  if (!says(view, {"half", "halbzeit", "hälfte", "mi-temps", "période", "period", "drittel", "mi"})) return;
  const auto score = [](const Quantity& quantity, double& a, double& b) {
    const size_t sign = quantity.key.find_first_of(":-");
    if (quantity.kind != QuantityKind::kIdentifier || sign == std::string::npos || quantity.key.size() > 7)
      return false;
    const std::string_view key = quantity.key;
    const auto number = [](std::string_view digits, double& value) {
      value = 0;
      for (const char c : digits) {
        if (c < '0' || c > '9') return false;
        value = value * 10 + (c - '0');
      }
      return !digits.empty();
    };
    return number(key.substr(0, sign), a) && number(key.substr(sign + 1), b);
  };
  struct Found {
    uint32_t unit;
    double a, b;
  };
  double a = 0, b = 0;
  if (!score(target, a, b)) return;
  std::vector<Found> found;
  for (const NearUnit& near : view.units()) {
    for (const Quantity& fact : view.unit(near).statement.quantities) {
      double x = 0, y = 0;
      if (found.size() < 16 && score(fact, x, y)) found.push_back({near.unit, x, y});
    }
  }
  for (const Found& whole : found) {
    for (const Found& part : found) {
      if (whole.a - part.a == a && whole.b - part.b == b) judge.accept({whole.unit, part.unit});
    }
  }
}

}  // namespace vsr::guard
