// Values that follow in ways of their own.
#pragma once

#include "guard/checks/derivation_judge.h"

namespace vsr::guard {

// Products and quotients of two values that measure another thing: a speed, an area, an energy.
void derive_dimension(const facts::Quantity& target, const Operand& a, const Operand& b, DerivationJudge& judge);
// "The next edition is the 39th."
void derive_neighbour(const ClaimView& view, DerivationJudge& judge);
// 2:0 in the second half of a match that ended 3:1 after 1:1.
void derive_score(const ClaimView& view, const facts::Quantity& target, DerivationJudge& judge);

}  // namespace vsr::guard
