// All that symbols say of one claim.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "guard/checks/fact_index.h"
#include "guard/checks/finding.h"

namespace vsr::guard {

enum class Verdict : uint8_t { kSupported, kContradicted, kUnknown };

struct ClaimVerdict {
  Verdict verdict = Verdict::kUnknown;
  std::vector<Finding> findings;  // in the order of the text, disjoint; none unless contradicted
  std::vector<uint32_t> units;    // the claim is about, the nearest first
  bool settled = false;           // a model would say nothing better
};

// `claim`: well-formed. `recent`: ClaimVerdict::units of the claims before. Thread-safe.
ClaimVerdict check_claim(const FactIndex& index, std::string_view claim, const Statement& question,
                         std::span<const uint32_t> recent);

}  // namespace vsr::guard
