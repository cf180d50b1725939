#include "routing/config/reader/config_warnings.h"

#include <set>

#include "routing/config/guards.h"
#include "routing/config/rule_logic.h"
#include "routing/config/signal_kind.h"

namespace vsr::routing {
namespace {

// Decisions are compared pair by pair; what a file of a thousand of them needs, and no more.
constexpr size_t kMostPairs = 1'000'000;
constexpr size_t kMostWork = 1'000'000;  // rule nodes looked at

// Whether `first` wins against `second` whenever both match, whatever the confidences.
bool always_before(const Decision& first, const Decision& second, const RouterConfig& config, bool any_tier) {
  if (first.tier < second.tier) return true;  // the second's tier is above 0 and matches: lower tiers win
  if (first.tier > second.tier) return false;
  return config.strategy == Strategy::kPriority && !any_tier && first.priority > second.priority;
}

bool same(const Rule& a, const Rule& b) {
  if (a.kind != b.kind || a.leaf != b.leaf || a.children.size() != b.children.size()) return false;
  for (size_t i = 0; i < a.children.size(); ++i) {
    if (!same(a.children[i], b.children[i])) return false;
  }
  return true;
}

// Same rules have the same confidence, so that priority and name decide in every mode.
bool shadows_twin(const Decision& first, const Decision& second) {
  if (first.tier != second.tier || !same(first.rules, second.rules)) return false;
  return first.priority != second.priority ? first.priority > second.priority : first.name < second.name;
}

class DecisionChecks {
 public:
  explicit DecisionChecks(ConfigContext& context)
      : context_(context), config_(context.config), rules_(config_, false), routed_(config_, true) {
    for (const Decision& decision : config_.decisions) any_tier_ = any_tier_ || decision.tier > 0;
  }

  void run() {
    for (const Decision& decision : config_.decisions) {
      const std::string name = "decision \"" + decision.name + "\" can never ";
      if (rules_.impossible(decision.rules)) {
        context_.notes.warn(decision.where, name + "match: its rules contradict each other");
      } else if (!config_.not_run.empty() && routed_.impossible(decision.rules)) {
        context_.notes.warn(decision.where, name + "match when routing: it needs signals that are not run");
      } else if (const Decision* winner = find_winner(decision)) {
        context_.notes.warn(decision.where, name + "win: whatever matches it matches \"" + winner->name + "\" (" +
                                                winner->where + "), which comes first");
      }
    }
  }

 private:
  const Decision* find_winner(const Decision& decision) {
    for (const Decision& other : config_.decisions) {
      if (++pairs_ > kMostPairs || rules_.work() > kMostWork) return nullptr;
      if (&other == &decision) continue;
      if (shadows_twin(other, decision)) return &other;
      if (always_before(other, decision, config_, any_tier_) && rules_.implies(decision.rules, other.rules)) {
        return &other;
      }
    }
    return nullptr;
  }

  ConfigContext& context_;
  const RouterConfig& config_;
  RuleLogic rules_;
  RuleLogic routed_;
  bool any_tier_ = false;
  size_t pairs_ = 0;
};

// A signal of levels or labels is used when one of them is.
std::string owner(const SignalRef& ref) {
  const SignalKind* kind = find_signal_kind(ref.type);
  const bool parts = kind != nullptr && (kind->leaves == LeafForm::kLevel || kind->leaves == LeafForm::kLabel);
  return ref.type + " \"" + (parts ? ref.name.substr(0, ref.name.rfind(':')) : ref.name) + "\"";
}

void warn_unused(ConfigContext& context) {
  std::set<std::string> used;
  for (const SignalNames::Entry& entry : context.names.entries()) {
    if (entry.used) used.insert(owner(entry.ref));
  }
  for (const SignalNames::Entry& entry : context.names.entries()) {
    if (!entry.runs || !used.insert(owner(entry.ref)).second) continue;
    context.notes.warn(entry.where, "signal " + owner(entry.ref) + " is used by no rule");
  }
}

void warn_unchecked_cache(ConfigContext& context) {
  const RouterConfig& config = context.config;
  if (!config.answers_similar() || !config.cache.semantic.same_question.empty()) return;
  context.notes.warn(config.path,
                     "the cache answers similar questions by word rules alone: name a task that checks "
                     "pairs in vsr.cache.semantic.same_question");
}

// As a file is whose copy failed.
void warn_nothing(ConfigContext& context) {
  const RouterConfig& config = context.config;
  const bool routes = !config.decisions.empty() || !config.signal_names.empty() || !config.not_run.empty();
  if (routes || !config.catalog.models.empty() || !config.catalog.default_model.empty()) return;
  context.notes.warn(config.path,
                     "names no decision, signal or model: requests for \"auto\" fail, and others pass through");
}

// Lists what routing will refuse.
void warn_guards(ConfigContext& context) {
  const RouterConfig& config = context.config;
  if (!config.route_refusal.empty()) context.config.warnings.push_back(config.route_refusal);
  for (const Decision& decision : config.decisions) {
    if (!decision.plugins.guards) continue;
    const SignalRef* signal = find_not_run(decision.rules, config);
    if (signal == nullptr) continue;
    context.notes.warn(decision.where, "decision \"" + decision.name + "\" blocks or protects and needs " +
                                           signal->key() +
                                           ", which is not run: requests that it might have won are refused");
  }
}

}  // namespace

void add_warnings(ConfigContext& context) {
  warn_nothing(context);
  warn_unchecked_cache(context);
  DecisionChecks(context).run();
  warn_guards(context);
  if (!context.config.decisions.empty()) warn_unused(context);
}

}  // namespace vsr::routing
