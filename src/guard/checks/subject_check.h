// Values said of something that the facts say another value of, as the words before and after them tell.
#pragma once

#include <vector>

#include "guard/checks/claim_view.h"
#include "guard/checks/finding.h"
#include "guard/checks/value_check.h"

namespace vsr::guard {

void check_subjects(const ClaimView& view, const std::vector<ValueVerdict>& values, std::vector<Finding>& findings);

}  // namespace vsr::guard
