// Makes signals from the rules that names of leaves mean: one function for each kind, in a file of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "routing/config/completion.h"
#include "routing/config/router_config.h"
#include "routing/intents/candidate_bank.h"
#include "routing/signals/kinds/bound_signal.h"
#include "routing/signals/signal_intents.h"
#include "routing/signals/signal_keyword.h"

namespace vsr::routing {

// What the signals of one config are made of. The config outlives them.
struct SignalSources {
  const RouterConfig& config;
  CandidateBank& examples;                         // signals add theirs when they are made
  std::shared_ptr<const KeywordSignals> keywords;  // of all rules, and of events (event_words.h); null: there are none
  std::shared_ptr<const IntentSignals> intents;    // likewise
  Completion complete;                             // empty: none

  const SignalRules& rules() const { return config.signals; }
  // The task that answers a kind of signal.
  std::string task_of(const std::string& kind) const { return config.task_of(kind, kind); }
};

using BoundSignalPointer = std::unique_ptr<const BoundSignal>;

// Throws kInternal for a type that vsr does not run and a name without a rule, and what the rule is made of throws.
BoundSignalPointer make_signal(const SignalRef& leaf, SignalSources& sources);

// Of each kind. Null: no rule has the name.
BoundSignalPointer make_keyword(const std::string& name, SignalSources& sources);
BoundSignalPointer make_embedding(const std::string& name, SignalSources& sources);
BoundSignalPointer make_intent(const std::string& name, SignalSources& sources);
BoundSignalPointer make_domain(const std::string& name, SignalSources& sources);
BoundSignalPointer make_fact_check(const std::string& name, SignalSources& sources);
BoundSignalPointer make_user_feedback(const std::string& name, SignalSources& sources);
BoundSignalPointer make_language(const std::string& name, SignalSources& sources);
BoundSignalPointer make_context(const std::string& name, SignalSources& sources);
BoundSignalPointer make_structure(const std::string& name, SignalSources& sources);
BoundSignalPointer make_complexity(const std::string& name, SignalSources& sources);
BoundSignalPointer make_authz(const std::string& name, SignalSources& sources);
BoundSignalPointer make_jailbreak(const std::string& name, SignalSources& sources);
BoundSignalPointer make_pii(const std::string& name, SignalSources& sources);
BoundSignalPointer make_conversation(const std::string& name, SignalSources& sources);
BoundSignalPointer make_metadata(const std::string& name, SignalSources& sources);
BoundSignalPointer make_classifier(const std::string& name, SignalSources& sources);
// Of a classifier that is a language model.
BoundSignalPointer make_prompted_classifier(const ClassifierRule& rule, const ClassifierRule::Question& question,
                                            SignalSources& sources);
BoundSignalPointer make_reask(const std::string& name, SignalSources& sources);
BoundSignalPointer make_preference(const std::string& name, SignalSources& sources);
BoundSignalPointer make_modality(const std::string& name, SignalSources& sources);
BoundSignalPointer make_kb(const std::string& name, SignalSources& sources);
BoundSignalPointer make_kb_metric(const std::string& name, SignalSources& sources);
BoundSignalPointer make_event(const std::string& name, SignalSources& sources);

// Null: none of them has the name.
template <class Rule>
const Rule* find_rule(const std::vector<Rule>& rules, const std::string& name) {
  for (const Rule& rule : rules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

}  // namespace vsr::routing
