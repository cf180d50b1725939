#include "routing/decision/decision_program.h"

#include <algorithm>
#include <optional>
#include <set>

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
  // Leaves get their ids, and what they follow from is compiled, before the trees that need them.
  void intern(const Rule& rule) {
    for (const Rule& child : rule.children) intern(child);
    if (rule.kind == Rule::Kind::kLeaf) intern(rule.leaf);
  }

  uint32_t intern(const SignalRef& ref) {
    if (const auto at = program_.ids_.find(ref.key()); at != program_.ids_.end()) return at->second;
    if (ref.type == "projection" && not_run_.count(ref.key()) == 0) {
      if (const auto id = intern_output(ref)) return *id;
    }
    const int32_t composer = ref.type == "complexity" ? composer_of(ref.name) : -1;
    const uint32_t id = add_leaf({.ref = ref, .composer = composer});
    intern_partition(ref);
    return id;
  }

  uint32_t add_leaf(Leaf leaf) {
    const auto id = static_cast<uint32_t>(program_.leaves.size());
    const std::string key = leaf.ref.key();
    leaf.cost = signal_cost(leaf.ref, config_);
    leaf.runs = not_run_.count(key) == 0;
    program_.ids_.emplace(key, id);
    program_.leaves.push_back(std::move(leaf));
    return id;
  }

  void add_step(Step::Kind kind, size_t index) { program_.steps.push_back({kind, static_cast<uint32_t>(index)}); }

  // All members of the partition that the leaf is in, unless that is done.
  void intern_partition(const SignalRef& ref) {
    for (size_t i = 0; i < config_.projections.partitions.size(); ++i) {
      const PartitionRule& rule = config_.projections.partitions[i];
      if (std::find(rule.members.begin(), rule.members.end(), ref) == rule.members.end()) continue;
      if (!partitions_.insert(i).second) return;
      DerivedPartition partition{.softmax = rule.softmax, .temperature = rule.temperature};
      for (const SignalRef& member : rule.members) partition.members.push_back(intern(member));
      partition.fallback = partition.members[rule.fallback];
      const auto index = static_cast<int32_t>(program_.partitions.size());
      for (const uint32_t member : partition.members) program_.leaves[member].partition = index;
      program_.partitions.push_back(std::move(partition));
      return add_step(Step::Kind::kPartition, static_cast<size_t>(index));
    }
  }

  uint32_t score_of(size_t rule) {
    if (const auto at = scores_.find(rule); at != scores_.end()) return at->second;
    DerivedScore score;
    for (const ScoreRule::Input& input : config_.projections.scores[rule].inputs) {
      score.inputs.push_back({intern(input.signal), input.weight, input.source, input.match, input.miss});
    }
    const auto index = static_cast<uint32_t>(program_.scores.size());
    program_.scores.push_back(std::move(score));
    add_step(Step::Kind::kScore, index);
    return scores_[rule] = index;
  }

  // The leaf of a mapping's output; nothing: the projections have none of that name.
  std::optional<uint32_t> intern_output(const SignalRef& ref) {
    const auto& rules = config_.projections.mappings;
    for (size_t i = 0; i < rules.size(); ++i) {
      for (size_t k = 0; k < rules[i].outputs.size(); ++k) {
        if (rules[i].outputs[k].name != ref.name) continue;
        const uint32_t mapping = mapping_of(i);
        const uint32_t id =
            add_leaf({.ref = ref, .mapping = static_cast<int32_t>(mapping), .output = static_cast<uint32_t>(k)});
        program_.mappings[mapping].outputs[k].leaf = id;
        return id;
      }
    }
    return std::nullopt;
  }

  uint32_t mapping_of(size_t rule) {
    if (const auto at = mappings_.find(rule); at != mappings_.end()) return at->second;
    const MappingRule& from = config_.projections.mappings[rule];
    DerivedMapping mapping{.score = score_of(from.score), .all = from.all, .slope = from.slope};
    for (const MappingRule::Output& output : from.outputs) mapping.outputs.push_back({-1, output.band});
    const auto index = static_cast<uint32_t>(program_.mappings.size());
    program_.mappings.push_back(std::move(mapping));
    add_step(Step::Kind::kMapping, index);
    return mappings_[rule] = index;
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
        add_step(Step::Kind::kComposer, program_.composers.size() - 1);
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
  std::vector<int32_t> composers_;                // by complexity rule: its place in the program
  std::set<size_t> partitions_;                   // those that are compiled
  std::map<size_t, uint32_t> scores_, mappings_;  // by rule: its place in the program
};

DecisionProgram::DecisionProgram(const RouterConfig& config) { Compiler(*this, config).compile(); }

int64_t DecisionProgram::find(const SignalRef& ref) const {
  const auto at = ids_.find(ref.key());
  return at == ids_.end() ? -1 : static_cast<int64_t>(at->second);
}

}  // namespace vsr::routing
