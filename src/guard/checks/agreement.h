// Whether a claim's value is that of a fact: equal, rounded, converted, written another way.
#pragma once

#include "facts/quantities/quantity.h"

namespace vsr::guard {

// Whether the two could say the same of something at all: both lengths, both amounts of one currency, both dates.
bool comparable(const facts::Quantity& claim, const facts::Quantity& fact);

// Integers are exact; decimals, "2.84 million", conversions and hedges ("about", "more than") allow half a unit of the
// claim's last digit, or what they say.
bool agrees(const facts::Quantity& claim, const facts::Quantity& fact);

// The same for a value that was computed, in base units without offset. `rounded`: a quotient or a conversion, which
// any claim may round.
bool agrees_value(const facts::Quantity& claim, double base, bool rounded);

// Digits that tell a value from others: of 16,200 three.
int significant_digits(const facts::Quantity& claim);

// Seconds of an average month.
constexpr double kMonthSeconds = 2629746;

}  // namespace vsr::guard
