// Texts that try to turn the model against its instructions: by a classifier, by examples, or by both.
#include <optional>
#include <utility>

#include "routing/signals/kinds/safety_texts.h"
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_classifier.h"
#include "routing/signals/signal_similarity.h"

namespace vsr::routing {
namespace {

class Jailbreak : public BodySignal {
 public:
  Jailbreak(const JailbreakRule& rule, std::string task, CandidateBank& examples)
      : rule_(rule), task_(std::move(task)), scope_(safety_scope(rule)) {
    if (rule.method != JailbreakRule::Method::kClassifier) contrastive_.emplace(rule, examples);
  }

  std::optional<TextScope> guarded_scope() const override { return scope_; }
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    if (by_classifier()) {
      const std::vector<TextId> turns = reading.turns(scope_);
      std::vector<TextId>& texts = needs.answers[task_];
      texts.insert(texts.end(), turns.begin(), turns.end());
    }
    if (contrastive_) needs.margins[scope_].insert(&*contrastive_);
  }
  SignalValue evaluate(RequestReading& reading) const override {
    if (!contrastive_) return evaluate_classifier(reading);
    const SignalValue& by_margin = reading.margin(*contrastive_);
    if (!by_classifier()) return by_margin;
    const SignalValue by_model = evaluate_classifier(reading);
    return by_model.matched || !by_margin.matched ? by_model : by_margin;
  }

 private:
  bool by_classifier() const { return rule_.method != JailbreakRule::Method::kContrastive; }
  SignalValue evaluate_classifier(RequestReading& reading) const {
    const std::vector<TextId> turns = reading.turns(scope_);
    const std::vector<LabelProbabilities> answers = windows_of(task_, turns, reading);
    return evaluate_jailbreak(rule_, answers,
                              unsafe_labels(answers.front().labels, reading.unsafe_labels(task_, turns.front())));
  }

  const JailbreakRule& rule_;
  std::string task_;
  TextScope scope_;
  std::optional<ContrastiveSignal> contrastive_;
};

}  // namespace

BoundSignalPointer make_jailbreak(const std::string& name, SignalSources& sources) {
  const JailbreakRule* rule = find_rule(sources.rules().jailbreak, name);
  if (rule == nullptr) return nullptr;
  return std::make_unique<Jailbreak>(*rule, sources.task_of("jailbreak"), sources.examples);
}

}  // namespace vsr::routing
