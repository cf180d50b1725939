// How hard a text is, by examples; leaves name a level.
#include <algorithm>

#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_similarity.h"

namespace vsr::routing {
namespace {

class Complexity : public BodySignal {
 public:
  Complexity(const ComplexityRule& rule, size_t level, CandidateBank& examples)
      : signal_(rule, examples), level_(level), scope_(rule.scope) {}
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    needs.embeddings.push_back(reading.decisive(scope_));
  }
  SignalValue evaluate(RequestReading& reading) const override {
    return signal_.evaluate(reading.similarities(reading.decisive(scope_)))[level_];
  }

 private:
  ComplexitySignal signal_;
  size_t level_;
  TextScope scope_;
};

}  // namespace

BoundSignalPointer make_complexity(const std::string& name, SignalSources& sources) {
  const size_t colon = name.rfind(':');
  if (colon == std::string::npos) return nullptr;
  const auto& levels = ComplexitySignal::kLevelNames;
  const auto level = std::find(levels.begin(), levels.end(), name.substr(colon + 1));
  const ComplexityRule* rule = find_rule(sources.rules().complexity, name.substr(0, colon));
  if (level == levels.end() || rule == nullptr) return nullptr;
  return std::make_unique<Complexity>(*rule, static_cast<size_t>(level - levels.begin()), sources.examples);
}

}  // namespace vsr::routing
