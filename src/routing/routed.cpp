#include "routing/routed.h"

namespace vsr::routing {

const char* outcome_name(RouteOutcome outcome) {
  switch (outcome) {
    case RouteOutcome::kForward:
      return "forward";
    case RouteOutcome::kRespond:
      return "respond";
    case RouteOutcome::kCached:
      return "cached";
    case RouteOutcome::kPassthrough:
      return "passthrough";
    case RouteOutcome::kNone:
      break;
  }
  return "none";
}

}  // namespace vsr::routing
