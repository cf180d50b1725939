#include "routing/decision/decision_order.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace vsr::routing {

DecisionOrder::DecisionOrder(const RouterConfig& config)
    : plain_(config.strategy == Strategy::kPriority ? Mode::kPriority : Mode::kConfidence) {
  const auto& decisions = config.decisions;
  std::vector<uint32_t> by_name(decisions.size());
  std::iota(by_name.begin(), by_name.end(), 0U);
  std::sort(by_name.begin(), by_name.end(),
            [&](uint32_t a, uint32_t b) { return decisions[a].name < decisions[b].name; });
  keys_.resize(decisions.size());
  for (uint32_t i = 0; i < by_name.size(); ++i) keys_[by_name[i]].name = i;
  for (size_t i = 0; i < decisions.size(); ++i) {
    keys_[i].tier = decisions[i].tier;
    keys_[i].priority = decisions[i].priority;
    any_tier_ = any_tier_ || decisions[i].tier > 0;
  }
  std::map<double, uint32_t> priorities;
  std::map<int64_t, uint32_t> tiers;
  for (Key& key : keys_) {
    key.priority_group = priorities.emplace(key.priority, static_cast<uint32_t>(priorities.size())).first->second;
    key.tier_group = tiers.emplace(key.tier, static_cast<uint32_t>(tiers.size())).first->second;
  }
}

bool DecisionOrder::before(Mode mode, size_t a, double a_confidence, size_t b, double b_confidence) const {
  const Key& x = keys_[a];
  const Key& y = keys_[b];
  if (mode == Mode::kTiers && x.tier != y.tier) return x.tier < y.tier;
  if (mode == Mode::kPriority && x.priority != y.priority) return x.priority > y.priority;
  if (a_confidence != b_confidence) return a_confidence > b_confidence;
  if (x.priority != y.priority) return x.priority > y.priority;
  return x.name < y.name;
}

bool DecisionOrder::surely_before(Mode mode, size_t a, Bounds a_bounds, size_t b, Bounds b_bounds) const {
  // The worst that can happen to `a`; when its confidence does not matter this is what always happens.
  return before(mode, a, a_bounds.lo, b, b_bounds.hi);
}

uint32_t DecisionOrder::group(Mode mode, size_t decision) const {
  switch (mode) {
    case Mode::kPriority:
      return keys_[decision].priority_group;
    case Mode::kTiers:
      return keys_[decision].tier_group;
    case Mode::kConfidence:
      break;
  }
  return 0;
}

}  // namespace vsr::routing
