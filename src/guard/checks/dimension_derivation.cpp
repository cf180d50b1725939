#include "guard/checks/dimension_derivation.h"

namespace vsr::guard {
namespace {

using facts::Dimension;
using facts::Quantity;

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

}  // namespace vsr::guard
