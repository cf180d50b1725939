// What metadata and headers say.
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_request.h"

namespace vsr::routing {
namespace {

class Metadata : public BoundSignal {
 public:
  explicit Metadata(const MetadataRule& rule) : rule_(rule) {}
  ContextReads reads() const override { return context_reads(rule_); }
  SignalValue evaluate(RequestReading& reading) const override {
    return evaluate_metadata(rule_, reading.request(), reading.context());
  }

 private:
  const MetadataRule& rule_;
};

}  // namespace

BoundSignalPointer make_metadata(const std::string& name, SignalSources& sources) {
  const MetadataRule* rule = find_rule(sources.rules().metadata, name);
  return rule == nullptr ? nullptr : std::make_unique<Metadata>(*rule);
}

}  // namespace vsr::routing
