// Spans of times of the day: between two zones, and opening hours of a week.
#pragma once

#include "guard/checks/derivation_judge.h"

namespace vsr::guard {

// A journey's length where the facts say by how much the clocks at its ends differ ("one hour ahead").
void derive_zones(const ClaimView& view, const facts::Quantity& target, const Operands& operands,
                  DerivationJudge& judge);

// The hours of a week that "Tuesday to Saturday from 10:00 to 18:00" makes, where the claim speaks of a week.
void derive_opening(const ClaimView& view, const facts::Quantity& target, DerivationJudge& judge);

}  // namespace vsr::guard
