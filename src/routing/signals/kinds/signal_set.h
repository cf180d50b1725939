// Every signal of a config, compiled: what it needs of models, and what it says of a request.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "routing/config/completion.h"
#include "routing/config/router_config.h"
#include "routing/intents/tool_database.h"
#include "routing/signals/embedded_bank.h"
#include "routing/signals/kinds/bound_signal.h"

namespace vsr::routing {

// Immutable apart from the vectors of its examples, which are computed at first need; any number of threads may use it.
class SignalSet {
 public:
  // `names` are the signals to evaluate; they are numbered by their place. The config must outlive this. Throws what
  // the signals' constructors throw.
  SignalSet(const RouterConfig& config, std::span<const SignalRef> names, Completion complete = {});

  const EmbeddedBank& bank() const { return *bank_; }
  // The place among the bank's examples of a model's description, of those that router_dc chooses between; null: none.
  const uint32_t* description_of(const std::string& model) const;

  // Of a plugin tool_selection, by its path. Throws std::out_of_range for one of no decision.
  const ToolDatabase& tool_database(const std::string& path) const { return databases_.at(path); }

  // What the signals read of a request besides its body.
  ContextReads context_reads() const;

  // Adds what signal `id` needs of models to `needs`.
  void add_needs(uint32_t id, RequestReading& reading, ModelNeeds& needs) const;
  // What the signal asks of the tasks that it needs answers of.
  inference::TaskUse task_use(uint32_t id) const { return signals_[id]->task_use(); }
  // Whether the signal has an answer of its own (`on_error`) where its task fails.
  bool answers_errors(uint32_t id) const;
  // Throws what a model that the signal needs failed with: an error is never "does not match".
  SignalValue evaluate(uint32_t id, RequestReading& reading) const;
  // What a safety signal reads; of others nothing.
  std::optional<TextScope> safety_scope_of(uint32_t id) const;

 private:
  std::vector<std::unique_ptr<const BoundSignal>> signals_;
  std::unique_ptr<const EmbeddedBank> bank_;
  std::map<std::string, uint32_t> descriptions_;
  std::map<std::string, ToolDatabase> databases_;
};

}  // namespace vsr::routing
