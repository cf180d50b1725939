// Products and quotients of two values that measure another thing: a speed, an area, an energy.
#pragma once

#include "guard/checks/derivation_judge.h"

namespace vsr::guard {

void derive_dimension(const facts::Quantity& target, const Operand& a, const Operand& b, DerivationJudge& judge);

}  // namespace vsr::guard
