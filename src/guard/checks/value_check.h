// The values of a claim: each that of a fact, known from the question, derived, or wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "guard/checks/claim_view.h"
#include "guard/checks/finding.h"

namespace vsr::guard {

struct ValueVerdict {
  enum State : uint8_t { kUnjudged, kStated, kAsked, kDerived, kWrong };
  State state = kUnjudged;
  std::vector<uint32_t> units;  // that state it, or that it derives from
};

// One for each value of the claim; what is wrong goes to `findings`.
std::vector<ValueVerdict> check_values(const ClaimView& view, std::vector<Finding>& findings);

// How users call a wrong value.
EventKind flaw_of(const facts::Quantity& quantity);

}  // namespace vsr::guard
