#include "routing/config/signal_kind.h"

#include "base/error.h"

namespace vsr::routing {

SignalCost signal_cost(const SignalRef& leaf, const SignalRules& rules) {
  const SignalKind* kind = find_signal_kind(leaf.type);
  if (kind == nullptr) {
    base::fail(base::Status::kInternal, "signal \"", leaf.key(), "\" is of no kind that is known");
  }
  if (leaf.type != "jailbreak") return kind->cost;
  for (const JailbreakRule& rule : rules.jailbreak) {
    const bool contrastive = rule.method == JailbreakRule::Method::kContrastive;
    if (rule.name == leaf.name && contrastive) return SignalCost::kEmbedding;
  }
  return kind->cost;
}

}  // namespace vsr::routing
