#include "routing/signals/signal_pii.h"

#include <algorithm>
#include <map>

namespace vsr::routing {
namespace {

std::unordered_set<std::string> canonical_types(const std::vector<std::string>& types) {
  std::unordered_set<std::string> names;
  for (const std::string& type : types) names.insert(facts::canonical_pii_type(type));
  return names;
}

}  // namespace

PiiSignal::PiiSignal(const PiiRule& rule)
    : threshold_(rule.threshold), allowed_(canonical_types(rule.allowed)), denied_(canonical_types(rule.denied)) {}

bool PiiSignal::counts(const std::string& type) const {
  if (!denied_.empty()) return denied_.contains(type) && !allowed_.contains(type);
  return type != "URL" && !allowed_.contains(type);
}

SignalValue PiiSignal::evaluate(std::span<const facts::PiiEntity> entities) const {
  SignalValue result;
  std::map<std::string, size_t> found;
  for (const facts::PiiEntity& entity : entities) {
    const std::string type = facts::canonical_pii_type(entity.type);
    if (!counts(type)) continue;
    result.value = std::max(result.value, entity.score);
    if (entity.score >= threshold_) ++found[type];
  }
  result.matched = !found.empty();
  result.confidence = result.matched ? std::min(result.value, 1.0) : 0;
  for (const auto& [type, count] : found) {
    result.detail += (result.detail.empty() ? "" : ", ") + type;
    if (count > 1) result.detail += " x" + std::to_string(count);
  }
  return result;
}

}  // namespace vsr::routing
