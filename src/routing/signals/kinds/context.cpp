// How many tokens a conversation has.
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_request.h"

namespace vsr::routing {
namespace {

class Context : public BodySignal {
 public:
  explicit Context(const ContextRule& rule) : rule_(rule) {}
  SignalValue evaluate(RequestReading& reading) const override {
    SignalValue value = evaluate_context(rule_, reading.tokens());
    if (reading.tokens_estimated()) value.detail += value.detail.empty() ? "estimated" : ", estimated";
    return value;
  }

 private:
  const ContextRule& rule_;
};

}  // namespace

BoundSignalPointer make_context(const std::string& name, SignalSources& sources) {
  const ContextRule* rule = find_rule(sources.rules().context, name);
  return rule == nullptr ? nullptr : std::make_unique<Context>(*rule);
}

}  // namespace vsr::routing
