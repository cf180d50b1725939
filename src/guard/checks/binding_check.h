// Values and names that facts hold, but of something else: "aisle 14 holds 415 desks" where aisle 15 does.
#pragma once

#include <vector>

#include "guard/checks/claim_view.h"
#include "guard/checks/finding.h"
#include "guard/checks/value_check.h"

namespace vsr::guard {

void check_bindings(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings);

}  // namespace vsr::guard
