// Which of two matching decisions comes first.
//
// If any matching decision has a tier above 0: lowest tier (unset is 0), then confidence, then priority, then name.
// Otherwise by strategy: `priority` is priority, confidence, name; `confidence` is confidence, priority, name. Higher
// confidences and priorities first, names in ascending order.
#pragma once

#include <cstdint>
#include <vector>

#include "routing/config/router_config.h"

namespace vsr::routing {

// What is known of a confidence; lo == hi: everything.
struct Bounds {
  double lo = 0;
  double hi = 0;
  bool exact() const { return lo == hi; }
};

class DecisionOrder {
 public:
  enum class Mode : uint8_t { kPriority, kConfidence, kTiers };

  explicit DecisionOrder(const RouterConfig& config);

  // The mode while no decision of a tier above 0 matches.
  Mode plain() const { return plain_; }
  bool has_tier(size_t decision) const { return keys_[decision].tier > 0; }
  bool any_tier() const { return any_tier_; }

  // Decisions `a` and `b` with their confidences, both matching.
  bool before(Mode mode, size_t a, double a_confidence, size_t b, double b_confidence) const;
  // Whether `a` comes first whatever the confidences are within their bounds.
  bool surely_before(Mode mode, size_t a, Bounds a_bounds, size_t b, Bounds b_bounds) const;
  // Decisions of one group are told apart by their confidences first. Groups are 0 .. number of decisions.
  uint32_t group(Mode mode, size_t decision) const;

 private:
  struct Key {
    int64_t tier;
    double priority;
    uint32_t name;            // place among the names in ascending order
    uint32_t priority_group;  // one per priority
    uint32_t tier_group;      // one per tier
  };
  std::vector<Key> keys_;
  Mode plain_;
  bool any_tier_ = false;
};

}  // namespace vsr::routing
