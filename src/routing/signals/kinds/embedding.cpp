// How near a text is to example texts.
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_similarity.h"

namespace vsr::routing {
namespace {

class Embedding : public BodySignal {
 public:
  Embedding(const EmbeddingRule& rule, CandidateBank& examples) : signal_(rule, examples), scope_(rule.scope) {}
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    needs.embeddings.push_back(reading.decisive(scope_));
  }
  SignalValue evaluate(RequestReading& reading) const override {
    return signal_.evaluate(reading.similarities(reading.decisive(scope_)));
  }

 private:
  EmbeddingSignal signal_;
  TextScope scope_;
};

}  // namespace

BoundSignalPointer make_embedding(const std::string& name, SignalSources& sources) {
  const EmbeddingRule* rule = find_rule(sources.rules().embeddings, name);
  return rule == nullptr ? nullptr : std::make_unique<Embedding>(*rule, sources.examples);
}

}  // namespace vsr::routing
