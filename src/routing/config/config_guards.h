// Lenient configs: what guards, and hangs on what vsr does not run.
#pragma once

#include <string>

#include "routing/config/config_names.h"

namespace vsr::routing {

// Why a request is refused that the decision might have won, had all signals been run; one line.
std::string overlooked_guard(const Decision& decision, const RouterConfig& config);

// Lists what routing will refuse.
void warn_guards(ConfigContext& context);

}  // namespace vsr::routing
