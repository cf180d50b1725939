#include "routing/router_parts.h"

#include <algorithm>
#include <utility>

#include "routing/config/reader/config_plugins.h"
#include "routing/request/fast_response.h"

namespace vsr::routing {
namespace {

std::vector<SignalRef> names_of(const DecisionEngine& engine) {
  std::vector<SignalRef> names;
  for (const DecisionProgram::Leaf& leaf : engine.signals()) names.push_back(leaf.ref);
  return names;
}

// Domains whose scores choose between models, which no rule may have asked for.
std::vector<SignalRef> scored_domains(const RouterConfig& config) {
  std::vector<SignalRef> names;
  for (const DomainRule& rule : config.signals.domains) {
    if (!rule.model_scores.empty()) names.push_back({"domain", rule.name});
  }
  return names;
}

std::vector<SignalRef> joined(std::vector<SignalRef> names, const std::vector<SignalRef>& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

void add_plugins(const RouterConfig& config, ContextReads& reads) {
  for (const Decision& decision : config.decisions) reads.add(context_reads(decision.plugins));
}

// Whatever any rule reads, answers of one group are not for others. The cache, which recipes share, reads what the
// plugins of any of them name.
ContextReads reads_of(const RouterConfig& config, const SignalSet& signals, const RouterParts* main) {
  ContextReads reads = signals.context_reads();
  if (main != nullptr) reads.add(main->reads);
  add_plugins(config, reads);
  for (const Recipe& recipe : config.recipes) add_plugins(*recipe.config, reads);
  reads.groups = true;
  return reads;
}

}  // namespace

RouterParts::RouterParts(RouterConfig loaded, const std::string& fingerprint, RouterOptions given,
                         const RouterParts* previous, const RouterParts* main)
    : config(std::move(loaded)),
      options(std::move(given)),
      engine(config),
      scored(scored_domains(config)),
      signals(config, joined(names_of(engine), scored), options.complete),
      reads(reads_of(config, signals, main)),
      cache(main != nullptr ? main->cache
                            : ResponseCache::make(config, fingerprint, options.inference, options.log,
                                                  previous == nullptr ? nullptr : previous->cache.get())),
      metrics(main != nullptr       ? main->metrics
              : previous != nullptr ? previous->metrics
                                    : std::make_shared<RouterMetrics>(config, cache)),
      measures(main != nullptr ? main->measures
                               : std::make_shared<ModelMeasures>(
                                     config.catalog, previous == nullptr ? nullptr : previous->measures.get())),
      replay(previous == nullptr ? std::make_shared<ReplayLog>(config) : previous->replay),
      warnings(config.warnings) {}

void RouterParts::take_over_from(const RouterParts& previous) const {
  if (previous.cache) previous.cache->give_way_to(cache.get());
  metrics->follow(config, cache);
  replay->follow(config);
  for (const auto& [name, parts] : recipes) parts->replay->follow(parts->config);
}

const RouterParts* RouterParts::recipe(const std::string& name) const {
  if (name.empty()) return this;
  const auto found = recipes.find(name);
  return found == recipes.end() ? nullptr : found->second.get();
}

const RouterParts& RouterParts::entered_by(const std::string& model, std::string& recipe) const {
  for (const Recipe& each : config.recipes) {
    if (std::find(each.entrypoints.begin(), each.entrypoints.end(), model) == each.entrypoints.end()) continue;
    recipe = each.name;
    return *recipes.at(each.name);
  }
  return *this;
}

const Decision* settle(const RouterConfig& config, const Winner& winner, const ChatRequest& request, Routed& routed) {
  if (winner.decision == Winner::kNone) return nullptr;
  const Decision& decision = config.decisions[static_cast<size_t>(winner.decision)];
  routed.decision = decision.name;
  routed.confidence = winner.confidence;
  if (!decision.plugins.fast_response) routed.plan = decision.plan;
  if (decision.plugins.fast_response) {
    routed.outcome = RouteOutcome::kRespond;
    routed.response = fast_response(*decision.plugins.fast_response, request);
  }
  return &decision;
}

void forward_to(const ModelChoice& choice, Routed& routed) {
  routed.outcome = RouteOutcome::kForward;
  routed.model = choice.model;
  if (!choice.lora.empty()) routed.lora = choice.lora;
  routed.reasoning = choice.reasoning.value_or(false);
  if (routed.reasoning) routed.effort = choice.effort;
}

}  // namespace vsr::routing
