// Finite weights can still overflow. A score that is not a number would compare as "below every threshold", which reads
// as "nothing found".
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "base/error.h"

namespace vsr::engine {

// Throws kWeights naming the checkpoint or adapter at `path` unless all values are finite.
inline void check_finite(std::span<const float> values, const std::string& path) {
  if (std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); })) return;
  base::fail(base::Status::kWeights, path,
             ": the forward pass gives values that are not finite (hint: damaged weights?)");
}

}  // namespace vsr::engine
