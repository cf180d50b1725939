// What a router is made of.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "routing/cache/response_cache.h"
#include "routing/config/router_config.h"
#include "routing/decision/decision_engine.h"
#include "routing/decision/model_choice.h"
#include "routing/replay_log.h"
#include "routing/routed.h"
#include "routing/router_metrics.h"
#include "routing/router_options.h"
#include "routing/signals/kinds/signal_set.h"

namespace vsr::routing {

struct RouterParts {
  // What lives on when a file is read again is taken over from `previous` (null: none).
  // `main`: of the same file, for one of its recipes, which shares its cache, counters and measurements; null: this is
  // it.
  RouterParts(RouterConfig loaded, const std::string& fingerprint, RouterOptions given,
              const RouterParts* previous = nullptr, const RouterParts* main = nullptr);
  // These have taken the place of `previous`: what both share follows this config from now on.
  void take_over_from(const RouterParts& previous) const;

  const RouterConfig config;
  const RouterOptions options;
  const DecisionEngine engine;
  const std::vector<SignalRef>
      scored;  // domains whose scores choose between models; numbered after the engine's signals
  const SignalSet signals;
  const ContextReads reads;                    // of signals, plugins and the cache
  const std::shared_ptr<ResponseCache> cache;  // null: none
  const std::shared_ptr<RouterMetrics> metrics;
  const std::shared_ptr<ModelMeasures> measures;
  const std::shared_ptr<ReplayLog> replay;
  // Of each recipe of the config, by its name.
  std::map<std::string, std::shared_ptr<const RouterParts>> recipes = {};
  // The recipe of that name, of an empty one these parts; null: there is none.
  const RouterParts* recipe(const std::string& name) const;
  // What routes requests to a model of that name: the recipe that it is an entry point of, or these parts.
  const RouterParts& entered_by(const std::string& model, std::string& recipe) const;

  std::vector<std::string> warnings;  // those of the config, and what its models lack
};

// Names the winner in `routed`, with its answer to `request` where it has one of its own (outcome kRespond). Returns
// the decision; null without one.
const Decision* settle(const RouterConfig& config, const Winner& winner, const ChatRequest& request, Routed& routed);
// Sends `routed` to the chosen model (outcome kForward).
void forward_to(const ModelChoice& choice, Routed& routed);

}  // namespace vsr::routing
