// Whether a value that no fact states follows from values that facts state: sums, differences, products, shares, spans
// of time. Only what the claim's wording makes plausible counts, so that chance excuses little.
#pragma once

#include <cstddef>
#include <optional>

#include "guard/checks/claim_view.h"
#include "guard/checks/derivation_judge.h"

namespace vsr::guard {

// The most plausible one for a value of the claim. `restated`: units that state another value of the
// kind and read so much like the claim that what differs needs a reason, and that from them.
std::optional<Derivation> derive(const ClaimView& view, size_t quantity, const std::vector<Restated>& restated);

}  // namespace vsr::guard
