// What a text is made of: patterns, words in order, bytes.
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_structure.h"

namespace vsr::routing {
namespace {

class Structure : public BodySignal {
 public:
  explicit Structure(const StructureRule& rule) : signal_(rule), scope_(rule.scope) {}
  SignalValue evaluate(RequestReading& reading) const override { return signal_.evaluate(reading.text(scope_)); }

 private:
  StructureSignal signal_;
  TextScope scope_;
};

}  // namespace

BoundSignalPointer make_structure(const std::string& name, SignalSources& sources) {
  const StructureRule* rule = find_rule(sources.rules().structure, name);
  return rule == nullptr ? nullptr : std::make_unique<Structure>(*rule);
}

}  // namespace vsr::routing
