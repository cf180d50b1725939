#include "routing/config/rule_logic.h"

#include <algorithm>
#include <limits>

#include "routing/config/signal_kind.h"

namespace vsr::routing {
namespace {

using Kind = Rule::Kind;
constexpr int64_t kNoLimit = std::numeric_limits<int64_t>::max();

// Signals of one classifier's answers exclude each other: the levels of a complexity, the two of fact_check. Empty:
// none.
std::string exclusive_group(const SignalRef& ref) {
  const SignalKind* kind = find_signal_kind(ref.type);
  if (kind == nullptr) return "";
  if (kind->leaves == LeafForm::kAnswer) return ref.type;
  if (kind->leaves == LeafForm::kLevel) return ref.type + ":" + ref.name.substr(0, ref.name.rfind(':'));
  return "";
}

}  // namespace

RuleLogic::RuleLogic(const RouterConfig& config, bool with_not_run) : context_{0, kNoLimit} {
  for (const ContextRule& rule : config.signals.context) contexts_[rule.name] = {rule.min_tokens, rule.max_tokens};
  if (!with_not_run) return;
  for (const SignalRef& ref : config.not_run) facts_[id_of(ref)] = -1;
}

uint32_t RuleLogic::id_of(const SignalRef& ref) {
  const auto [at, added] = ids_.emplace(ref.key(), static_cast<uint32_t>(facts_.size()));
  if (added) facts_.push_back(0);
  return at->second;
}

bool RuleLogic::impossible(const Rule& rule) { return !possible({{&rule, false}}); }

bool RuleLogic::implies(const Rule& rule, const Rule& other) { return !possible({{&rule, false}, {&other, true}}); }

bool RuleLogic::possible(const std::vector<Assumption>& assumptions) {
  const size_t mark = trail_.size();
  const TokenBounds context = context_;
  std::vector<Assumption> choices;
  bool consistent = true;
  for (const Assumption& assumption : assumptions) consistent = consistent && assume(assumption, choices);
  for (const Assumption& choice : choices) consistent = consistent && possible_choice(choice);
  context_ = context;
  for (; trail_.size() > mark; trail_.pop_back()) {
    const auto [id, exclusive] = trail_.back();
    if (exclusive) exclusive_.erase(id);
    if (!exclusive) facts_[id] = 0;
  }
  return consistent;
}

bool RuleLogic::possible_choice(const Assumption& choice) {
  for (const Rule& child : choice.node->children) {
    if (possible({{&child, choice.negated}})) return true;
  }
  return false;
}

// What must hold is assumed at once; where one of several must, that is left to `choices`.
bool RuleLogic::assume(Assumption assumption, std::vector<Assumption>& choices) {
  ++work_;
  const auto& [node, negated] = assumption;
  switch (node->kind) {
    case Kind::kLeaf:
      return assume_leaf(node->leaf, negated);
    case Kind::kNot:
      return assume({&node->children.front(), !negated}, choices);
    case Kind::kAnd:
    case Kind::kOr:
      break;
  }
  if ((node->kind == Kind::kOr) != negated) {
    choices.push_back(assumption);
    return true;
  }
  return std::all_of(node->children.begin(), node->children.end(), [&, negated = negated](const Rule& child) {
    return assume({&child, negated}, choices);
  });
}

bool RuleLogic::assume_leaf(const SignalRef& ref, bool negated) {
  const uint32_t id = id_of(ref);
  const int8_t value = negated ? -1 : 1;
  if (facts_[id] != 0) return facts_[id] == value;
  facts_[id] = value;
  trail_.emplace_back(id, false);
  if (negated) return true;
  return assume_exclusive(ref, id) && (ref.type != "context" || narrow_context(ref.name));
}

bool RuleLogic::assume_exclusive(const SignalRef& ref, uint32_t id) {
  const std::string group = exclusive_group(ref);
  if (group.empty()) return true;
  const uint32_t group_id = id_of({"exclusive", group});
  const auto [at, added] = exclusive_.emplace(group_id, id);
  if (added) trail_.emplace_back(group_id, true);
  return at->second == id;
}

bool RuleLogic::narrow_context(const std::string& name) {
  const auto at = contexts_.find(name);
  if (at == contexts_.end()) return true;
  context_ = {std::max(context_.min, at->second.min), std::min(context_.max, at->second.max)};
  return context_.min <= context_.max;
}

}  // namespace vsr::routing
