// Whether a value that no fact states follows from values that facts state: sums, differences, products, shares, spans
// of time. Only what the claim's wording makes plausible counts, so that chance excuses little.
#pragma once

#include <cstddef>
#include <optional>

#include "guard/checks/claim_view.h"
#include "guard/checks/derivation_judge.h"

namespace vsr::guard {

// The most plausible one for a value of the claim. `restated`: some fact of the same kind reads so much like the claim
// that another value in it needs a reason.
std::optional<Derivation> derive(const ClaimView& view, size_t quantity, bool restated);

}  // namespace vsr::guard
