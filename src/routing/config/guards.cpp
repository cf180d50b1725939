#include "routing/config/guards.h"

#include <algorithm>

namespace vsr::routing {
namespace {

const Rule* composer_of(const SignalRef& leaf, const RouterConfig& config) {
  if (leaf.type != "complexity") return nullptr;
  const std::string name = leaf.name.substr(0, leaf.name.rfind(':'));
  for (const ComplexityRule& rule : config.signals.complexity) {
    if (rule.name == name && rule.composer) return &*rule.composer;
  }
  return nullptr;
}

}  // namespace

const SignalRef* find_not_run(const Rule& rule, const RouterConfig& config) {
  for (const Rule& child : rule.children) {
    if (const SignalRef* found = find_not_run(child, config)) return found;
  }
  if (rule.kind != Rule::Kind::kLeaf) return nullptr;
  const auto& not_run = config.not_run;
  if (std::find(not_run.begin(), not_run.end(), rule.leaf) != not_run.end()) return &rule.leaf;
  const Rule* composer = composer_of(rule.leaf, config);
  return composer == nullptr ? nullptr : find_not_run(*composer, config);
}

std::string overlooked_guard(const Decision& decision, const RouterConfig& config) {
  const SignalRef* signal = find_not_run(decision.rules, config);
  return decision.where + ": decision \"" + decision.name + "\" blocks or protects, and might have won: " +
         (signal != nullptr ? "its rule needs " + signal->key() + ", which is not run"
                            : "a rule that came before it needs a signal that is not run");
}

}  // namespace vsr::routing
