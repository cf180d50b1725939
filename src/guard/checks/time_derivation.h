// Spans between dates, ages, and dates that lie a span from others.
#pragma once

#include "guard/checks/derivation_judge.h"

namespace vsr::guard {

void derive_time(const ClaimView& view, const facts::Quantity& target, const Operands& operands,
                 DerivationJudge& judge);

}  // namespace vsr::guard
