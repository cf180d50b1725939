#include "routing/config/signal_kind.h"

#include "base/error.h"
#include "routing/config/router_config.h"

namespace vsr::routing {

SignalCost signal_cost(const SignalRef& leaf, const RouterConfig& config) {
  const SignalKind* kind = find_signal_kind(leaf.type);
  if (kind == nullptr) {
    base::fail(base::Status::kInternal, "signal \"", leaf.key(), "\" is of no kind that is known");
  }
  if (leaf.type == "modality") return config.modality.classifier ? kind->cost : SignalCost::kFree;
  if (leaf.type != "jailbreak") return kind->cost;
  for (const JailbreakRule& rule : config.signals.jailbreak) {
    const bool contrastive = rule.method == JailbreakRule::Method::kContrastive;
    if (rule.name == leaf.name && contrastive) return SignalCost::kEmbedding;
  }
  return kind->cost;
}

}  // namespace vsr::routing
