// Claims that say the opposite of a fact in its own words: "not allowed" and "may", "rose" and "fell".
#pragma once

#include <vector>

#include "guard/checks/claim_view.h"
#include "guard/checks/finding.h"
#include "guard/checks/value_check.h"

namespace vsr::guard {

void check_negations(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings);

}  // namespace vsr::guard
