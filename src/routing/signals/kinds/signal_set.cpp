#include "routing/signals/kinds/signal_set.h"

#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "routing/config/signal_kind.h"
#include "routing/signals/event_words.h"
#include "routing/signals/kinds/signal_makers.h"

namespace vsr::routing {
namespace {

// In the place of a signal that vsr does not run, or that follows from others.
class NotRun : public BodySignal {
 public:
  SignalValue evaluate(RequestReading&) const override { return {.detail = "not run by vsr"}; }
};

// What is wrong with a rule, with the place of it.
template <class Make>
auto placed(const RouterConfig& config, const SignalRef& name, Make&& make) {
  try {
    return make();
  } catch (const base::Error& error) {
    const auto place = config.places.find(name.key());
    if (place == config.places.end()) throw;
    base::fail(error.status(), place->second, ": ", error.what());
  }
}

// Rules are compiled together; where that fails, the rule is named that fails alone, else the first.
std::shared_ptr<const KeywordSignals> keywords_of(const RouterConfig& config) {
  std::vector<KeywordRule> rules = config.signals.keywords;
  for (const EventRule& event : config.signals.events) {
    for (KeywordRule& criterion : event_words(event)) rules.push_back(std::move(criterion));
  }
  try {
    return std::make_shared<const KeywordSignals>(rules);
  } catch (const base::Error&) {
    for (const KeywordRule& rule : config.signals.keywords) {
      placed(config, {"keyword", rule.name}, [&] { return KeywordSignals(std::span(&rule, 1)); });
    }
    throw;
  }
}

SignalSources sources_of(const RouterConfig& config, CandidateBank& examples) {
  SignalSources sources{config, examples, nullptr, nullptr, {}};
  const SignalRules& rules = config.signals;
  if (!rules.keywords.empty() || !rules.events.empty()) sources.keywords = keywords_of(config);
  if (!rules.intents.empty()) sources.intents = std::make_shared<const IntentSignals>(rules.intents);
  return sources;
}

// Makes the signals that no leaf names and drops them: what is wrong with a rule is an error when the config is opened.
void check_unnamed(std::set<std::string> named, SignalSources& sources) {
  for (const SignalRef& name : sources.config.signal_names) {
    if (find_signal_kind(name.type)->derived) continue;
    const bool label = find_signal_kind(name.type)->leaves == LeafForm::kLabel;  // made of what leaves ask alone
    if (label || !named.insert(name.key()).second) continue;
    placed(sources.config, name, [&] { return make_signal(name, sources); });
  }
}

// Of the models of decisions that choose by them.
std::map<std::string, uint32_t> add_descriptions(const RouterConfig& config, CandidateBank& examples) {
  std::map<std::string, uint32_t> places;
  for (const Decision& decision : config.decisions) {
    const auto kind = decision.algorithm.kind;
    if (kind != Algorithm::Kind::kRouterDc && kind != Algorithm::Kind::kHybrid) continue;
    for (const ModelRef& ref : decision.models) {
      const CatalogModel* card = config.catalog.find(ref.model);
      if (card == nullptr || card->description.empty()) continue;
      std::string text = card->description;
      if (decision.algorithm.descriptions.use_capabilities) {
        for (const std::string& capability : card->capabilities) text += " " + capability;
      }
      places.emplace(ref.model, examples.add(text));
    }
  }
  return places;
}

std::map<std::string, ToolDatabase> add_databases(const RouterConfig& config, CandidateBank& examples) {
  std::map<std::string, ToolDatabase> databases;
  for (const Decision& decision : config.decisions) {
    const auto& selection = decision.plugins.tool_selection;
    if (!selection || !selection->add || databases.contains(selection->database)) continue;
    databases.emplace(selection->database, ToolDatabase(selection->database, decision.where, examples));
  }
  return databases;
}

}  // namespace

const uint32_t* SignalSet::description_of(const std::string& model) const {
  const auto at = descriptions_.find(model);
  return at == descriptions_.end() ? nullptr : &at->second;
}

SignalSet::SignalSet(const RouterConfig& config, std::span<const SignalRef> names, Completion complete) {
  CandidateBank examples, dropped;
  SignalSources sources = sources_of(config, examples);
  sources.complete = std::move(complete);
  std::set<std::string> named;
  for (const SignalRef& name : config.not_run) named.insert(name.key());
  const std::set<std::string> not_run = named;
  for (const SignalRef& name : names) {
    const bool runs = !not_run.contains(name.key()) && !find_signal_kind(name.type)->derived;
    signals_.push_back(runs ? placed(config, name, [&] { return make_signal(name, sources); })
                            : std::make_unique<NotRun>());
    named.insert(name.key());
  }
  SignalSources of_unnamed{config, dropped, sources.keywords, sources.intents, sources.complete};
  check_unnamed(std::move(named), of_unnamed);
  descriptions_ = add_descriptions(config, examples);
  databases_ = add_databases(config, examples);
  bank_ = std::make_unique<EmbeddedBank>(std::move(examples), config.embedding_task());
}

ContextReads SignalSet::context_reads() const {
  ContextReads all;
  for (const auto& signal : signals_) all.add(signal->reads());
  return all;
}

void SignalSet::add_needs(uint32_t id, RequestReading& reading, ModelNeeds& needs) const {
  signals_[id]->add_needs(reading, needs);
}

bool SignalSet::answers_errors(uint32_t id) const { return signals_[id]->answers_errors(); }

SignalValue SignalSet::evaluate(uint32_t id, RequestReading& reading) const { return signals_[id]->evaluate(reading); }

std::optional<TextScope> SignalSet::safety_scope_of(uint32_t id) const { return signals_[id]->guarded_scope(); }

}  // namespace vsr::routing
