// Spans of claims that nothing supports, asked of a model that labels tokens.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "guard/entailment.h"
#include "guard/fact_set.h"

namespace vsr::guard {

// Bytes of the text of a claim.
struct UnsupportedSpan {
  size_t claim = 0;  // the caller's number
  size_t begin = 0, end = 0;
  float score = 0;
  int32_t fact = -1;  // the nearest; -1: none
};

// One call for all claims. The model reads each claim as the second text; the first one holds the claim's facts, the
// nearest first, a line each and 4 KB at most, and then the question. Labels that say "supported" or "entailment" mark
// nothing. Throws what the model throws.
std::vector<UnsupportedSpan> ask_tokens(const FactSet& facts, std::string_view question,
                                        const std::vector<OpenClaim>& claims, const base::CallLimits& limits);

}  // namespace vsr::guard
