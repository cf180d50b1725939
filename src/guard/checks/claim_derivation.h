// Derivations that take counts of the claim itself, or that words of a sentence announce.
#pragma once

#include "guard/checks/derivation_judge.h"

namespace vsr::guard {

// Whether a sentence says what happens to the rest, or that something is below or above another.
bool says_rest(const Statement& statement);
bool says_below(const Statement& statement);

// Values in proportion to a count of the claim, counts weighted by two of the claim's, sums of neighbours of which the
// second says no unit.
void derive_from_claim(const ClaimView& view, const facts::Quantity& target, const Operands& operands,
                       DerivationJudge& judge);

}  // namespace vsr::guard
