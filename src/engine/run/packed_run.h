// One forward pass for windows of any number of calls: the base's blocks once over all rows, adapters over theirs, each
// head once for all calls that ask for it.
#pragma once

#include "core/schedule/running_batch.h"

namespace vsr::engine {

// The works of all shares are BlockWorks that pack with each other.
void run_packed(core::RunningBatch& batch);

}  // namespace vsr::engine
