// Asks a task whether two questions ask for the same, before one gets the other's answer.
#pragma once

#include <memory>
#include <string>

#include "base/call_limits.h"
#include "inference/inference.h"
#include "routing/cache/semantic_cache.h"

namespace vsr::routing {

// The check asks `task` in both directions and takes the smaller probability of "same". It throws what the task throws,
// and kInvalidArgument for a task that does not say how probable it is. `inference` outlives it.
PairCheck pair_check(const inference::Inference& inference, std::string task, base::CallLimits limits);

}  // namespace vsr::routing
