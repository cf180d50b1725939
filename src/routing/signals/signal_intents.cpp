#include "routing/signals/signal_intents.h"

#include <algorithm>
#include <string_view>

namespace vsr::routing {

const Intents& IntentSignals::set(const std::shared_ptr<const inference::Embedder>& embedder) const {
  const std::lock_guard lock(mutex_);
  if (set_) return *set_;
  auto set = std::make_unique<Intents>(embedder, IntentsOptions{});
  for (const IntentRule& rule : rules_) {
    const std::vector<std::string_view> examples(rule.examples.begin(), rule.examples.end());
    set->add(rule.name, examples, static_cast<float>(rule.threshold));
  }
  set_ = std::move(set);
  return *set_;
}

SignalValue IntentSignals::evaluate(const IntentRule& rule, std::span<const float> vector,
                                    const std::shared_ptr<const inference::Embedder>& embedder) const {
  const std::vector<Match> matches = set(embedder).route_vectors(vector, embedder->dim());
  const Match& match = matches.front();
  if (match.nearest != rule.name) return {.detail = "nearest is " + match.nearest};
  const double score = match.score;
  return {.matched = match.matched, .confidence = std::clamp(score, 0.0, 1.0), .value = score};
}

}  // namespace vsr::routing
