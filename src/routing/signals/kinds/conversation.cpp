// What a conversation consists of.
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_request.h"

namespace vsr::routing {
namespace {

class Conversation : public BodySignal {
 public:
  explicit Conversation(const ConversationRule& rule) : signal_(rule) {}
  SignalValue evaluate(RequestReading& reading) const override { return signal_.evaluate(reading.request()); }

 private:
  ConversationSignal signal_;
};

}  // namespace

BoundSignalPointer make_conversation(const std::string& name, SignalSources& sources) {
  const ConversationRule* rule = find_rule(sources.rules().conversation, name);
  return rule == nullptr ? nullptr : std::make_unique<Conversation>(*rule);
}

}  // namespace vsr::routing
