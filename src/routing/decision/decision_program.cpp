#include "routing/decision/decision_program.h"

#include <algorithm>

namespace vsr::routing {

class DecisionProgram::Compiler {
 public:
  Compiler(DecisionProgram& program, const RouterConfig& config) : program_(program), config_(config) {
    for (const SignalRef& ref : config.not_run) not_run_[ref.key()] = true;
    composers_.assign(config.signals.complexity.size(), -1);
  }

  void compile() {
    for (const Decision& decision : config_.decisions) intern(decision.rules);
    for (const Decision& decision : config_.decisions) {
      program_.decisions.push_back(add_root(decision.rules));
      program_.guards.push_back(decision.plugins.guards);
    }
    const auto& guards = program_.guards;
    const bool all_run =
        std::all_of(program_.leaves.begin(), program_.leaves.end(), [](const Leaf& leaf) { return leaf.runs; });
    program_.guards_open = !all_run && std::find(guards.begin(), guards.end(), true) != guards.end();
  }

 private:
  // Leaves get their ids, and composers are compiled, before the trees that need them.
  void intern(const Rule& rule) {
    for (const Rule& child : rule.children) intern(child);
    if (rule.kind != Rule::Kind::kLeaf || program_.ids_.count(rule.leaf.key()) != 0) return;
    const int32_t composer = rule.leaf.type == "complexity" ? composer_of(rule.leaf.name) : -1;
    program_.ids_.emplace(rule.leaf.key(), static_cast<uint32_t>(program_.leaves.size()));
    program_.leaves.push_back(
        {rule.leaf, signal_cost(rule.leaf, config_.signals), composer, not_run_.count(rule.leaf.key()) == 0});
  }

  int32_t composer_of(const std::string& level) {
    const std::string name = level.substr(0, level.rfind(':'));
    const auto& rules = config_.signals.complexity;
    for (size_t i = 0; i < rules.size(); ++i) {
      if (rules[i].name != name || !rules[i].composer) continue;
      if (composers_[i] < 0) {
        intern(*rules[i].composer);
        composers_[i] = static_cast<int32_t>(program_.composers.size());
        program_.composers.push_back(add_root(*rules[i].composer));
      }
      return composers_[i];
    }
    return -1;
  }

  Root add_root(const Rule& rule) {
    const auto begin = static_cast<uint32_t>(program_.nodes.size());
    add(rule, 1);
    return {begin, static_cast<uint32_t>(program_.nodes.size())};
  }

  // `held`: values on the stack when this one is there.
  void add(const Rule& rule, uint32_t held) {
    program_.depth = std::max(program_.depth, held);
    const auto begin = static_cast<uint32_t>(program_.nodes.size());
    uint32_t children = 0;
    for (const Rule& child : rule.children) add(child, held + children++);
    Node node{Op::kLeaf, children, static_cast<uint32_t>(program_.nodes.size()) - begin + 1};
    switch (rule.kind) {
      case Rule::Kind::kLeaf:
        node.arg = program_.ids_.at(rule.leaf.key());
        break;
      case Rule::Kind::kAnd:
        node.op = Op::kAnd;
        break;
      case Rule::Kind::kOr:
        node.op = Op::kOr;
        break;
      case Rule::Kind::kNot:
        node.op = Op::kNot;
        break;
    }
    program_.nodes.push_back(node);
  }

  DecisionProgram& program_;
  const RouterConfig& config_;
  std::map<std::string, bool> not_run_;
  std::vector<int32_t> composers_;  // by complexity rule: its place in the program
};

DecisionProgram::DecisionProgram(const RouterConfig& config) { Compiler(*this, config).compile(); }

int64_t DecisionProgram::find(const SignalRef& ref) const {
  const auto at = ids_.find(ref.key());
  return at == ids_.end() ? -1 : static_cast<int64_t>(at->second);
}

}  // namespace vsr::routing
