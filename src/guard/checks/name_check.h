// The names of a claim: spelled as in the facts, in the company they have there, or unknown.
#pragma once

#include <vector>

#include "guard/checks/claim_view.h"
#include "guard/checks/finding.h"

namespace vsr::guard {

void check_names(const ClaimView& view, std::vector<Finding>& findings);

}  // namespace vsr::guard
