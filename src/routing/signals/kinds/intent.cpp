// Private intents, of which the nearest one matches.
#include <utility>

#include "routing/signals/kinds/signal_makers.h"

namespace vsr::routing {
namespace {

class PrivateIntent : public BodySignal {
 public:
  PrivateIntent(const IntentRule& rule, std::shared_ptr<const IntentSignals> all) : rule_(rule), all_(std::move(all)) {}
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    needs.embeddings.push_back(reading.decisive(rule_.scope));
  }
  SignalValue evaluate(RequestReading& reading) const override {
    return all_->evaluate(rule_, reading.vector(reading.decisive(rule_.scope)), reading.embedder());
  }

 private:
  const IntentRule& rule_;
  std::shared_ptr<const IntentSignals> all_;
};

}  // namespace

BoundSignalPointer make_intent(const std::string& name, SignalSources& sources) {
  const IntentRule* rule = find_rule(sources.rules().intents, name);
  return rule == nullptr ? nullptr : std::make_unique<PrivateIntent>(*rule, sources.intents);
}

}  // namespace vsr::routing
