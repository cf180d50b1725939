// What a text is made of: patterns, words in order, bytes.
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_structure.h"

namespace vsr::routing {
namespace {

class Structure : public BodySignal {
 public:
  explicit Structure(const StructureRule& rule)
      : signal_(rule), scope_(rule.scope), dense_(rule.feature == StructureRule::Feature::kDensity) {}
  // Each thing counts once: what is found around joints of text parts is there, and may be all there is. A density is
  // one of the whole.
  SignalValue evaluate(RequestReading& reading) const override {
    SignalValue value = signal_.evaluate(reading.text(scope_));
    const std::string_view joints = reading.joints(scope_);
    if (dense_ || joints.empty()) return value;
    SignalValue joined = signal_.evaluate(joints);
    return joined.value > value.value ? joined : value;
  }

 private:
  StructureSignal signal_;
  TextScope scope_;
  bool dense_;
};

}  // namespace

BoundSignalPointer make_structure(const std::string& name, SignalSources& sources) {
  const StructureRule* rule = find_rule(sources.rules().structure, name);
  return rule == nullptr ? nullptr : std::make_unique<Structure>(*rule);
}

}  // namespace vsr::routing
