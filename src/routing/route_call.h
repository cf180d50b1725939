// One call of Router::route(), from the body to where it goes.
#pragma once

#include <string_view>

#include "routing/route_options.h"
#include "routing/router_parts.h"

namespace vsr::routing {

// Throws what Router::route() throws.
Routed route_request(const RouterParts& parts, std::string_view body, const RouteOptions& options);

}  // namespace vsr::routing
