// All that symbols say of one claim.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "guard/checks/fact_index.h"
#include "guard/checks/finding.h"

namespace vsr::guard {

enum class Verdict : uint8_t { kSupported, kContradicted, kUnknown };

struct ClaimVerdict {
  Verdict verdict = Verdict::kUnknown;
  std::vector<Finding> findings;         // in the order of the text, disjoint; none unless contradicted
  std::vector<uint32_t> units;           // the claim is about, the nearest first
  std::vector<uint32_t> candidates;      // to ask a model about, the nearest first; empty: nothing is near
  std::vector<facts::Quantity> derived;  // values that follow from the facts
  bool settled = false;                  // a model would say nothing better
};

// What the claims before left behind, bounded.
struct ClaimContext {
  std::vector<uint32_t> recent;              // ClaimVerdict::units
  std::vector<facts::Quantity> established;  // ClaimVerdict::derived
  void add(const ClaimVerdict& verdict);
};

// `claim`: well-formed. Thread-safe.
ClaimVerdict check_claim(const FactIndex& index, std::string_view claim, const Statement& question,
                         const ClaimContext& context);

}  // namespace vsr::guard
