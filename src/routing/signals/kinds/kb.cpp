// What a knowledge base says of a text: a label, a group of labels, or a number for scores.
#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "routing/signals/kinds/signal_makers.h"
#include "routing/signals/knowledge.h"

namespace vsr::routing {
namespace {

class OfKnowledge : public BodySignal {
 public:
  explicit OfKnowledge(std::shared_ptr<const Knowledge> knowledge) : knowledge_(std::move(knowledge)) {}
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    needs.embeddings.push_back(reading.decisive(TextScope::kLastUser));
  }

 protected:
  const Knowledge& knowledge() const { return *knowledge_; }
  Knowledge::Scores scores(RequestReading& reading) const {
    return knowledge_->scores(reading.similarities(reading.decisive(TextScope::kLastUser)));
  }

 private:
  std::shared_ptr<const Knowledge> knowledge_;
};

// The best must reach its threshold too: there is a best label for every text.
class KbSignal : public OfKnowledge {
 public:
  KbSignal(const KbRule& rule, std::shared_ptr<const Knowledge> knowledge)
      : OfKnowledge(std::move(knowledge)), rule_(rule) {}
  SignalValue evaluate(RequestReading& reading) const override {
    const Knowledge::Scores found = scores(reading);
    const double score = (rule_.group ? found.groups : found.labels).at(rule_.target);
    SignalValue value{.value = score, .detail = "best: " + (rule_.group ? found.best_group : found.best_label)};
    value.matched = rule_.group ? !knowledge().reached(found, rule_.target).empty()
                                : score >= knowledge().threshold_of(rule_.target);
    if (rule_.best)
      value.matched = value.matched && rule_.target == (rule_.group ? found.best_group : found.best_label);
    if (value.matched) value.confidence = std::clamp(score, 0.0, 1.0);
    return value;
  }

 private:
  const KbRule& rule_;
};

class KbMetric : public OfKnowledge {
 public:
  KbMetric(std::string metric, std::shared_ptr<const Knowledge> knowledge)
      : OfKnowledge(std::move(knowledge)), metric_(std::move(metric)) {}
  SignalValue evaluate(RequestReading& reading) const override {
    const double value = knowledge().metric(scores(reading), metric_);
    return {.matched = value > 0, .confidence = std::clamp(value, 0.0, 1.0), .value = value};
  }

 private:
  std::string metric_;
};

// Of a config that defines no knowledge base: it may be meant for decide() alone, as one without models is.
class NoKnowledge : public BodySignal {
 public:
  explicit NoKnowledge(std::string kb) : kb_(std::move(kb)) {}
  SignalValue evaluate(RequestReading&) const override {
    base::fail(base::Status::kNotFound, "knowledge base \"", kb_, "\" is not defined in global.model_catalog.kbs");
  }

 private:
  std::string kb_;
};

std::shared_ptr<const Knowledge> knowledge_of(const std::string& kb, SignalSources& sources) {
  for (const KnowledgeBase& base : sources.config.knowledge_bases) {
    if (base.name == kb) return std::make_shared<const Knowledge>(base, sources.examples);
  }
  return nullptr;
}

}  // namespace

BoundSignalPointer make_kb(const std::string& name, SignalSources& sources) {
  const KbRule* rule = find_rule(sources.rules().kb, name);
  if (rule == nullptr) return nullptr;
  auto knowledge = knowledge_of(rule->kb, sources);
  if (knowledge == nullptr) return std::make_unique<NoKnowledge>(rule->kb);
  if (!rule->group && !knowledge->has_label(rule->target)) {
    base::fail(base::Status::kParse, "knowledge base \"", rule->kb, "\" has no label \"", rule->target, "\"");
  }
  return std::make_unique<KbSignal>(*rule, std::move(knowledge));
}

// "<kb>:<metric>".
BoundSignalPointer make_kb_metric(const std::string& name, SignalSources& sources) {
  const size_t colon = name.rfind(':');
  if (colon == std::string::npos) return nullptr;
  auto knowledge = knowledge_of(name.substr(0, colon), sources);
  if (knowledge == nullptr) return std::make_unique<NoKnowledge>(name.substr(0, colon));
  return std::make_unique<KbMetric>(name.substr(colon + 1), std::move(knowledge));
}

}  // namespace vsr::routing
