// Lenient configs: what guards, and hangs on what vsr does not run.
#pragma once

#include <string>

#include "routing/config/router_config.h"

namespace vsr::routing {

// The first signal that a rule needs and that is not run; null: none.
const SignalRef* find_not_run(const Rule& rule, const RouterConfig& config);

// Why a request is refused that the decision might have won, had all signals been run; one line.
std::string overlooked_guard(const Decision& decision, const RouterConfig& config);

}  // namespace vsr::routing
