// Every signal of a config, compiled: what it needs of models, and what it says of a request.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "routing/config/router_config.h"
#include "routing/signals/request_reading.h"
#include "routing/signals/signal.h"
#include "routing/signals/signal_intents.h"
#include "routing/signals/signal_keyword.h"
#include "routing/signals/signal_pii.h"
#include "routing/signals/signal_request.h"
#include "routing/signals/signal_similarity.h"
#include "routing/signals/signal_structure.h"

namespace vsr::routing {

// Immutable apart from the vectors of its examples, which are computed at first need; any number of threads may use it.
class SignalSet {
 public:
  // `names` are the signals to evaluate; they are numbered by their place. The config must outlive this. Throws what
  // the signals' constructors throw.
  SignalSet(const RouterConfig& config, std::span<const SignalRef> names);

  const EmbeddedBank& bank() const { return *bank_; }

  // What the signals read of a request besides its body.
  ContextReads context_reads() const;

  // Adds what signal `id` needs of models to `needs`.
  void add_needs(uint32_t id, RequestReading& reading, ModelNeeds& needs) const;
  // Whether the signal has an answer of its own (`on_error`) where its task fails.
  bool answers_errors(uint32_t id) const;
  // Throws what a model that the signal needs failed with: an error is never "does not match".
  SignalValue evaluate(uint32_t id, RequestReading& reading) const;
  // What a safety signal reads; of others nothing.
  std::optional<TextScope> safety_scope_of(uint32_t id) const;

 private:
  // A kind of signal: how leaves name it, what it needs, what it says.
  struct Kind;
  struct Bound {
    const Kind* kind = nullptr;  // null: not run, never matches
    size_t rule = 0;             // of its kind
    size_t part = 0;             // level of a complexity, question of a classifier
  };
  static const Kind* find_kind(const std::string& type);
  Bound bind(const SignalRef& name) const;
  std::string task_of(const std::string& kind) const { return config_.task_of(kind, kind); }

  SignalValue keyword(const Bound& bound, RequestReading& reading) const;
  SignalValue embedding(const Bound& bound, RequestReading& reading) const;
  SignalValue intent(const Bound& bound, RequestReading& reading) const;
  SignalValue domain(const Bound& bound, RequestReading& reading) const;
  SignalValue fact_check(const Bound& bound, RequestReading& reading) const;
  SignalValue user_feedback(const Bound& bound, RequestReading& reading) const;
  SignalValue language(const Bound& bound, RequestReading& reading) const;
  SignalValue context(const Bound& bound, RequestReading& reading) const;
  SignalValue structure(const Bound& bound, RequestReading& reading) const;
  SignalValue complexity(const Bound& bound, RequestReading& reading) const;
  SignalValue authz(const Bound& bound, RequestReading& reading) const;
  SignalValue jailbreak(const Bound& bound, RequestReading& reading) const;
  SignalValue jailbreak_by_classifier(const JailbreakRule& rule, RequestReading& reading) const;
  SignalValue pii(const Bound& bound, RequestReading& reading) const;
  SignalValue conversation(const Bound& bound, RequestReading& reading) const;
  SignalValue metadata(const Bound& bound, RequestReading& reading) const;
  SignalValue classifier(const Bound& bound, RequestReading& reading) const;

  void embedding_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;
  void intent_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;
  void domain_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;
  void fact_check_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;
  void user_feedback_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;
  void complexity_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;
  void jailbreak_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;
  void pii_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;
  void classifier_needs(const Bound& bound, RequestReading& reading, ModelNeeds& needs) const;

  const RouterConfig& config_;
  const SignalRules& rules_;  // of the config
  std::vector<Bound> bound_;
  std::optional<KeywordSignals> keywords_;
  std::vector<StructureSignal> structures_;
  std::vector<ConversationSignal> conversations_;
  std::vector<EmbeddingSignal> embeddings_;
  std::optional<IntentSignals> intents_;
  std::vector<ComplexitySignal> complexities_;
  std::vector<PiiSignal> pii_;
  std::vector<std::optional<ContrastiveSignal>> contrastives_;  // by jailbreak rule
  std::unique_ptr<const EmbeddedBank> bank_;
};

}  // namespace vsr::routing
