// What config.json counts, held against the weights before anything is made of that size.
#pragma once

#include <cstdint>

#include "base/json.h"
#include "core/weights/weights.h"

namespace vsr::models {

// Throws kParse for more layers than there are tensors, for a size, a number of heads or of labels beyond the longest
// side of any tensor, and for other counts beyond 32 bits. What is no integer is left to those who read it.
void check_counts(const base::JsonObject& config, const core::WeightStore& weights);

}  // namespace vsr::models
