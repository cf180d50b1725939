// A signal as a request asks for it: a rule of the config, compiled, with what it needs of models and what it says.
#pragma once

#include <optional>

#include "inference/task_answer.h"
#include "routing/config/context_reads.h"
#include "routing/config/signal_rules.h"
#include "routing/signals/model_needs.h"
#include "routing/signals/request_reading.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// Immutable; any number of threads may use it.
class BoundSignal {
 public:
  virtual ~BoundSignal() = default;

  // What it reads of a request besides the body. Every kind says so, for the response cache's key.
  virtual ContextReads reads() const = 0;
  virtual void add_needs(RequestReading& /*reading*/, ModelNeeds& /*needs*/) const {}
  // What it asks of the tasks that it needs answers of.
  virtual inference::TaskUse task_use() const { return inference::TaskUse::kClassify; }
  // Throws what a model that the signal needs failed with: an error is never "does not match".
  virtual SignalValue evaluate(RequestReading& reading) const = 0;
  // Which texts it guards; nothing: it guards none.
  virtual std::optional<TextScope> guarded_scope() const { return std::nullopt; }
  // Whether it has an answer of its own (`on_error`) where its task fails.
  virtual bool answers_errors() const { return false; }
};

// A signal that reads nothing but the body.
class BodySignal : public BoundSignal {
 public:
  ContextReads reads() const final { return {}; }
};

}  // namespace vsr::routing
