// PII signals: personal data of a type that a rule does not allow.
#pragma once

#include <span>
#include <string>
#include <unordered_set>

#include "facts/pii_entity.h"
#include "routing/config/signal_rules.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// Matches when an entity at or above the rule's threshold has a type that counts: one that `denied` names or, when that
// is empty, any but those of `allowed`. A URL by itself is nobody's data and counts only where `denied` names it.
// Immutable; any number of threads may evaluate at once.
class PiiSignal {
 public:
  explicit PiiSignal(const PiiRule& rule);

  // Entities of all texts that the rule reads. Value and confidence are the greatest score of a type that counts.
  // `detail` names types and their numbers, never what was found.
  SignalValue evaluate(std::span<const facts::PiiEntity> entities) const;

 private:
  bool counts(const std::string& type) const;

  double threshold_;
  std::unordered_set<std::string> allowed_, denied_;
};

}  // namespace vsr::routing
