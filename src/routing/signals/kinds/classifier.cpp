// Any classification task; leaves name a label, and may ask more of its probability.
#include <optional>

#include "base/error.h"
#include "routing/signals/kinds/safety_texts.h"
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_classifier.h"

namespace vsr::routing {
namespace {

using OnError = ClassifierRule::OnError;

class Classifier : public BodySignal {
 public:
  Classifier(const ClassifierRule& rule, const ClassifierRule::Question& question)
      : rule_(rule), question_(question), task_(rule.task.empty() ? rule.name : rule.task) {}

  std::optional<TextScope> guarded_scope() const override {
    return rule_.safety ? std::optional(TextScope::kUnanswered) : std::nullopt;
  }
  bool answers_errors() const override { return question_.on_error != OnError::kFail; }
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    std::vector<TextId>& texts = needs.answers[task_];
    if (!rule_.safety) return texts.push_back(reading.decisive(TextScope::kLastUser));
    const std::vector<TextId> turns = reading.turns(TextScope::kUnanswered);
    texts.insert(texts.end(), turns.begin(), turns.end());
  }
  SignalValue evaluate(RequestReading& reading) const override {
    try {
      return rule_.safety ? evaluate_safety(reading) : evaluate_topic(reading);
    } catch (const base::Error& error) {
      const bool ended = error.status() == base::Status::kCancelled || error.status() == base::Status::kDeadline;
      if (ended || question_.on_error == OnError::kFail) throw;
      const bool matched = question_.on_error == OnError::kMatch;
      return {.matched = matched, .confidence = 0, .value = 0, .detail = error.what(), .failed = true};
    }
  }

 private:
  SignalValue evaluate_topic(RequestReading& reading) const {
    const LabelProbabilities answer = reading.topic(task_, reading.decisive(TextScope::kLastUser));
    return evaluate_label(rule_, question_, {&answer, 1}, {});
  }
  SignalValue evaluate_safety(RequestReading& reading) const {
    const std::vector<TextId> turns = reading.turns(TextScope::kUnanswered);
    return evaluate_label(rule_, question_, windows_of(task_, turns, reading),
                          reading.unsafe_labels(task_, turns.front()));
  }

  const ClassifierRule& rule_;
  const ClassifierRule::Question& question_;
  const std::string task_;
};

}  // namespace

BoundSignalPointer make_classifier(const std::string& name, SignalSources& sources) {
  for (const ClassifierRule& rule : sources.rules().classifiers) {
    const ClassifierRule::Question* question = find_rule(rule.questions, name);
    if (question == nullptr) continue;
    if (rule.by_llm) return make_prompted_classifier(rule, *question, sources);
    return std::make_unique<Classifier>(rule, *question);
  }
  return nullptr;
}

}  // namespace vsr::routing
