// What is known of one request besides its body.
#pragma once

#include <string>

#include "base/call_limits.h"
#include "routing/request/request_context.h"

namespace vsr::routing {

struct RouteOptions {
  RequestContext context = {};
  std::string tenant = {};
  bool explain = false;
  bool evaluate_all = false;
  base::CallLimits limits = {};
};

}  // namespace vsr::routing
