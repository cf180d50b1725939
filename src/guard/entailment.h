// Claims that symbols cannot settle, asked of a model for pairs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "guard/fact_set.h"

namespace vsr::guard {

struct OpenClaim {
  size_t claim = 0;  // the caller's number
  std::string text;
  std::vector<uint32_t> units;  // of the index, the nearest first
};

// What the best facts say: the greatest support and the greatest contradiction, never a mean.
struct Entailment {
  size_t claim = 0;
  float support = 0, contradiction = 0;
  int32_t supporting = -1, contradicting = -1;  // facts
};

// One call for all claims. Throws what the model throws, and kUnsupported where its labels are no entailment's.
std::vector<Entailment> ask_entailment(const FactSet& facts, const std::vector<OpenClaim>& claims,
                                       const base::CallLimits& limits);

}  // namespace vsr::guard
