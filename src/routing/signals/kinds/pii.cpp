// Personal data: what patterns find, and what a model finds.
#include <utility>

#include "facts/pii_entity.h"
#include "routing/signals/kinds/safety_texts.h"
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/signal_pii.h"

namespace vsr::routing {
namespace {

// A task that means "patterns alone", where there is no model for personal data.
constexpr const char* kNoTask = "none";

class Pii : public BodySignal {
 public:
  Pii(const PiiRule& rule, std::string task)
      : signal_(rule), task_(std::move(task)), by_model_(task_ != kNoTask), scope_(safety_scope(rule)) {}

  std::optional<TextScope> guarded_scope() const override { return scope_; }
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    if (!by_model_) return;
    std::vector<TextId>& texts = needs.answers[task_];
    for (const TextId text : reading.turns(scope_)) texts.push_back(text);
  }
  inference::TaskUse task_use() const override { return inference::TaskUse::kFindEntities; }
  SignalValue evaluate(RequestReading& reading) const override {
    std::vector<facts::PiiEntity> of_all;
    for (const TextId text : reading.turns(scope_)) {
      std::vector<facts::PiiEntity> found = reading.pii_patterns(text);
      if (by_model_) {
        for (const inference::ModelEntity& entity : reading.entities(task_, text)) {
          found.push_back({facts::canonical_pii_type(entity.label), entity.begin, entity.end, entity.score, false});
        }
      }
      found = facts::merge_entities(std::move(found));
      of_all.insert(of_all.end(), found.begin(), found.end());
    }
    return signal_.evaluate(of_all);
  }

 private:
  PiiSignal signal_;
  std::string task_;
  bool by_model_;
  TextScope scope_;
};

}  // namespace

BoundSignalPointer make_pii(const std::string& name, SignalSources& sources) {
  const PiiRule* rule = find_rule(sources.rules().pii, name);
  return rule == nullptr ? nullptr : std::make_unique<Pii>(*rule, sources.task_of("pii"));
}

}  // namespace vsr::routing
