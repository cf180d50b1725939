#include "routing/signals/signal_language.h"

namespace vsr::routing {

SignalValue evaluate_language(const LanguageRule& rule, std::span<const facts::LanguageShare> detected) {
  constexpr double kDefaultThreshold = 0.3;
  const double threshold = rule.threshold > 0 ? rule.threshold : kDefaultThreshold;
  const std::string wanted = facts::canonical_language(rule.name);
  SignalValue result;
  for (const facts::LanguageShare& share : detected) {
    if (!result.detail.empty()) result.detail += ", ";
    result.detail += share.language;
    if (share.language != wanted) continue;
    result.value = share.confidence;
    result.matched = share.confidence >= threshold;
  }
  if (result.matched) result.confidence = result.value;
  return result;
}

}  // namespace vsr::routing
