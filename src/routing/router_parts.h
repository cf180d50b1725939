// What a router is made of.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "routing/decision_engine.h"
#include "routing/response_cache.h"
#include "routing/router.h"
#include "routing/router_config.h"
#include "routing/router_metrics.h"
#include "routing/signal_set.h"

namespace vsr::routing {

struct Router::Parts {
  Parts(RouterConfig loaded, const std::string& fingerprint, RouterOptions given);

  const RouterConfig config;
  const RouterOptions options;
  const DecisionEngine engine;
  const std::vector<SignalRef>
      scored;  // domains whose scores choose between models; numbered behind the engine's signals
  const SignalSet signals;
  const std::unique_ptr<ResponseCache> cache;  // null: none
  mutable RouterMetrics metrics;
};

// A decision's own answer as a server of OpenAI's API would send it.
std::string completion_of(const std::string& answer);

}  // namespace vsr::routing
