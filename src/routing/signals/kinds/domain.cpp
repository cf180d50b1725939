// What a text is about, as a classifier of domains says.
#include <utility>

#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_classifier.h"

namespace vsr::routing {
namespace {

class Domain : public BodySignal {
 public:
  Domain(const DomainRule& rule, std::string task) : rule_(rule), task_(std::move(task)) {}
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    needs.answers[task_].push_back(reading.decisive(rule_.scope));
  }
  SignalValue evaluate(RequestReading& reading) const override {
    return evaluate_domain(rule_, reading.topic(task_, reading.decisive(rule_.scope)));
  }

 private:
  const DomainRule& rule_;
  std::string task_;
};

}  // namespace

BoundSignalPointer make_domain(const std::string& name, SignalSources& sources) {
  const DomainRule* rule = find_rule(sources.rules().domains, name);
  return rule == nullptr ? nullptr : std::make_unique<Domain>(*rule, sources.task_of("domain"));
}

}  // namespace vsr::routing
