// What a config file says that is allowed and surely not meant.
#pragma once

#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// Adds to the warnings: decisions that can never match or never win, and signals that no rule uses.
void add_warnings(ConfigContext& context);

}  // namespace vsr::routing
