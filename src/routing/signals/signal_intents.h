// Intent signals: private intents as rules name them.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/intents/intents.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// All intents of a config as one set (intents.h): the nearest examples vote, so that at most one intent matches. The
// examples are embedded when a text is first compared with them. Thread-safe.
class IntentSignals {
 public:
  explicit IntentSignals(std::vector<IntentRule> rules) : rules_(std::move(rules)) {}

  // Whether `rule`'s intent wins, and reaches its threshold. `vector` is of `embedder`, which is always the same one.
  // The value is the winner's score; confidence the value, at least 0.
  SignalValue evaluate(const IntentRule& rule, std::span<const float> vector,
                       const std::shared_ptr<const inference::Embedder>& embedder) const;

 private:
  const Intents& set(const std::shared_ptr<const inference::Embedder>& embedder) const;

  std::vector<IntentRule> rules_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const Intents> set_;
};

}  // namespace vsr::routing
