// Classifiers whose answers are the signals' names: fact_check and user_feedback.
#include <utility>

#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_classifier.h"

namespace vsr::routing {
namespace {

class Answer : public BodySignal {
 public:
  Answer(const AnswerRule& rule, std::string task) : rule_(rule), task_(std::move(task)) {}
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    needs.answers[task_].push_back(reading.decisive(TextScope::kLastUser));
  }
  SignalValue evaluate(RequestReading& reading) const override {
    return evaluate_answer(rule_, reading.topic(task_, reading.decisive(TextScope::kLastUser)));
  }

 private:
  const AnswerRule& rule_;
  std::string task_;
};

BoundSignalPointer make_answer(const AnswerRule* rule, std::string task) {
  return rule == nullptr ? nullptr : std::make_unique<Answer>(*rule, std::move(task));
}

}  // namespace

BoundSignalPointer make_fact_check(const std::string& name, SignalSources& sources) {
  return make_answer(find_rule(sources.rules().fact_check, name), sources.task_of("fact_check"));
}

BoundSignalPointer make_user_feedback(const std::string& name, SignalSources& sources) {
  return make_answer(find_rule(sources.rules().user_feedbacks, name), sources.task_of("user_feedback"));
}

}  // namespace vsr::routing
