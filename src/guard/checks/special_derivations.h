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

// A journey's length where the facts say by how much the clocks at its ends differ ("one hour ahead").
void derive_zones(const ClaimView& view, const facts::Quantity& target, const Operands& operands,
                  DerivationJudge& judge);

// The hours of a week that "Tuesday to Saturday from 10:00 to 18:00" makes, where the claim speaks of a week.
void derive_opening(const ClaimView& view, const facts::Quantity& target, DerivationJudge& judge);

// Whether a sentence says what happens to the rest, or that something is below or above another.
bool says_rest(const Statement& statement);
bool says_below(const Statement& statement);

// Values in proportion to a count of the claim, counts weighted by two of the claim's, sums of neighbours of which the
// second says no unit.
void derive_from_claim(const ClaimView& view, const facts::Quantity& target, const Operands& operands,
                       DerivationJudge& judge);

}  // namespace vsr::guard
