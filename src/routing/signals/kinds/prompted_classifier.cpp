// A classifier that is a language model: the caller asks it, and its answer names a label.
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "routing/signals/kinds/prompted_label.h"
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_classifier.h"

namespace vsr::routing {
namespace {

using OnError = ClassifierRule::OnError;

class PromptedClassifier : public BodySignal {
 public:
  PromptedClassifier(const ClassifierRule& rule, const ClassifierRule::Question& question, Completion complete)
      : rule_(rule), question_(question), complete_(std::move(complete)) {}

  std::optional<TextScope> guarded_scope() const override {
    return rule_.safety ? std::optional(TextScope::kUnanswered) : std::nullopt;
  }
  bool answers_errors() const override { return question_.on_error != OnError::kFail; }

  SignalValue evaluate(RequestReading& reading) const override {
    try {
      const std::string& answer = reading.asked_once(rule_.name, [&] { return ask(reading); });
      const size_t label = prompted_label(rule_, answer);
      std::vector<float> probabilities(rule_.labels.size());
      probabilities[label] = 1;
      const LabelProbabilities said{rule_.labels, probabilities};
      return evaluate_label(rule_, question_, {&said, 1}, {});
    } catch (const base::Error& error) {
      const bool ended = error.status() == base::Status::kCancelled || error.status() == base::Status::kDeadline;
      if (ended || question_.on_error == OnError::kFail) throw;
      const bool matched = question_.on_error == OnError::kMatch;
      return {.matched = matched, .confidence = 0, .value = 0, .detail = error.what(), .failed = true};
    }
  }

 private:
  std::string ask(RequestReading& reading) const {
    if (!complete_) {
      base::fail(base::Status::kUnsupported, "classifier \"", rule_.name,
                 "\" asks a language model, and the router was opened without the option complete");
    }
    reading.limits().check();
    std::string text;
    if (rule_.safety) {
      for (const TextId turn : reading.turns(TextScope::kUnanswered)) {
        text.append(text.empty() ? "" : "\n\n").append(reading.text(turn));
      }
    } else {
      text = reading.text(TextScope::kLastUser);
    }
    std::string answer = complete_(rule_.model, label_prompt(rule_, text), reading.limits());
    reading.limits().check();
    return answer;
  }

  const ClassifierRule& rule_;
  const ClassifierRule::Question& question_;
  const Completion complete_;
};

}  // namespace

BoundSignalPointer make_prompted_classifier(const ClassifierRule& rule, const ClassifierRule::Question& question,
                                            SignalSources& sources) {
  return std::make_unique<PromptedClassifier>(rule, question, sources.complete);
}

}  // namespace vsr::routing
