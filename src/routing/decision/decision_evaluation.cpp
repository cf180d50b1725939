#include "routing/decision/decision_evaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace vsr::routing {
namespace {

using Op = DecisionProgram::Op;
using Mode = DecisionOrder::Mode;
using State = Evaluation::State;

// Sums run in the order of DecisionEngine's, so that bounds hold to the last bit: rounded addition is monotone.
State all_of(const State* values, uint32_t count) {
  if (count == 0) return {Truth::kTrue, {0, 0}};
  State all{Truth::kTrue, {0, 0}};
  for (uint32_t i = 0; i < count; ++i) {
    if (values[i].truth == Truth::kFalse) return {Truth::kFalse, {0, 0}};
    if (values[i].truth == Truth::kUnknown) all.truth = Truth::kUnknown;
    all.bounds.lo += values[i].bounds.lo;
    all.bounds.hi += values[i].bounds.hi;
  }
  all.bounds.lo /= count;
  all.bounds.hi /= count;
  return all;
}

State any_of(const State* values, uint32_t count) {
  State any{Truth::kFalse, {0, 0}};
  for (uint32_t i = 0; i < count; ++i) {
    const auto& [truth, bounds] = values[i];
    if (truth == Truth::kFalse) continue;
    if (any.truth == Truth::kFalse) {
      any = values[i];
      continue;
    }
    // The largest of those that match: at least each that does; if none is sure to, at least the smallest.
    const bool sure = truth == Truth::kTrue;
    if (any.truth == Truth::kTrue) {
      if (sure) any.bounds.lo = std::max(any.bounds.lo, bounds.lo);
    } else {
      any.bounds.lo = sure ? bounds.lo : std::min(any.bounds.lo, bounds.lo);
      if (sure) any.truth = Truth::kTrue;
    }
    any.bounds.hi = std::max(any.bounds.hi, bounds.hi);
  }
  return any;
}

State negation(const State& value) {
  switch (value.truth) {
    case Truth::kFalse:
      return {Truth::kTrue, {1, 1}};
    case Truth::kTrue:
      return {Truth::kFalse, {0, 0}};
    case Truth::kUnknown:
      break;
  }
  return {Truth::kUnknown, {1, 1}};
}

double within_unit(double confidence) { return confidence > 0 ? std::min(confidence, 1.0) : 0; }

}  // namespace

Evaluation::Evaluation(const DecisionEngine& engine, Composers composers)
    : engine_(engine), composers_(composers), open_(engine.program().guards_open) {
  const auto& leaves = engine.signals();
  signals_.resize(leaves.size());
  known_.resize(leaves.size());
  wanted_.resize(leaves.size());
  nodes_.resize(engine.program().nodes.size());
  stack_.resize(engine.program().depth);
  scores_.resize(engine.program().scores.size());
  if (!engine.program().partitions.empty()) settled_.resize(leaves.size());
  for (size_t i = 0; i < leaves.size(); ++i) known_[i] = !leaves[i].runs && !open_;
}

void Evaluation::set(uint32_t id, const Signal& signal) {
  if (id >= signals_.size()) {
    base::fail(base::Status::kInvalidArgument, "signal ", id, " is out of range, there are ", signals_.size());
  }
  signals_[id] = {signal.matched, within_unit(signal.confidence), std::isfinite(signal.value) ? signal.value : 0};
  known_[id] = true;
  stale_ = true;
}

bool Evaluation::done() {
  refresh();
  return winner_.has_value();
}

const std::vector<uint32_t>& Evaluation::needed() {
  refresh();
  return needed_;
}

Winner Evaluation::winner() {
  if (!done())
    base::fail(base::Status::kState, "the outcome is open: ", needed_.size(), " signals can still change it");
  return *winner_;
}

const std::vector<State>& Evaluation::nodes() {
  refresh();
  return nodes_;
}

std::optional<size_t> Evaluation::overlooked() {
  const Winner first = winner();
  const bool guarded = first.decision != Winner::kNone && engine_.program().guards[static_cast<size_t>(first.decision)];
  return guarded ? std::nullopt : overlooked_;
}

void Evaluation::refresh() {
  if (!stale_) return;
  stale_ = false;
  look();
  if (!open_ || !needed_.empty()) return;
  // What is still open hangs on signals that are not run.
  for (const size_t i : contenders()) {
    if (engine_.program().guards[i] && !overlooked_) overlooked_ = i;
  }
  close();
  look();
}

// From here on, signals that are not run do not match.
void Evaluation::close() {
  open_ = false;
  const auto& leaves = engine_.signals();
  for (size_t i = 0; i < leaves.size(); ++i) known_[i] = known_[i] || !leaves[i].runs;
}

void Evaluation::look() {
  const DecisionProgram& program = engine_.program();
  for (const DecisionProgram::Step& step : program.steps) {
    if (step.kind == DecisionProgram::Step::Kind::kComposer) run(program.composers[step.index]);
    if (step.kind == DecisionProgram::Step::Kind::kScore)
      scores_[step.index] = score_bounds(program.scores[step.index]);
  }
  for (const auto& root : program.decisions) run(root);
  find_modes();
  gather();
}

// The value of a projection is its score.
Bounds Evaluation::input_bounds(const DerivedScore::Input& input) const {
  const DecisionProgram::Leaf& leaf = engine_.signals()[input.leaf];
  Bounds value{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  if (known_[input.leaf]) value = {signals_[input.leaf].value, signals_[input.leaf].value};
  if (leaf.derived()) value = scores_[engine_.program().mappings[leaf.mapping].score];
  return input.of(leaf_state(input.leaf), value);
}

Bounds Evaluation::score_bounds(const DerivedScore& score) const {
  Bounds sum{0, 0};
  for (const DerivedScore::Input& input : score.inputs) {
    const Bounds part = input_bounds(input);
    sum.lo += part.lo;
    sum.hi += part.hi;
  }
  return sum;
}

State Evaluation::found_state(uint32_t id) const {
  if (!known_[id]) return {};
  if (!signals_[id].matched) return {Truth::kFalse, {0, 0}};
  return {Truth::kTrue, {signals_[id].confidence, signals_[id].confidence}};
}

// Who wins is known when all members are; who does not, when it does not match and is nobody's fallback.
State Evaluation::member_state(uint32_t id) const {
  const DerivedPartition& partition = engine_.program().partitions[engine_.signals()[id].partition];
  const bool all_known =
      std::all_of(partition.members.begin(), partition.members.end(), [&](uint32_t member) { return known_[member]; });
  if (!all_known) {
    const bool out = known_[id] && !signals_[id].matched && id != partition.fallback;
    return out ? State{Truth::kFalse, {0, 0}} : State{};
  }
  std::vector<Signal>& values = settled_;
  for (const uint32_t member : partition.members) values[member] = signals_[member];
  partition.settle(values);
  if (!values[id].matched) return {Truth::kFalse, {0, 0}};
  return {Truth::kTrue, {values[id].confidence, values[id].confidence}};
}

State Evaluation::leaf_state(uint32_t id) const {
  const DecisionProgram::Leaf& leaf = engine_.signals()[id];
  if (composers_ == Composers::kIgnore) return found_state(id);
  if (leaf.derived()) {
    const DerivedMapping& mapping = engine_.program().mappings[leaf.mapping];
    return mapping.output(leaf.output, scores_[mapping.score]);
  }
  if (leaf.partition >= 0) return member_state(id);
  State state = found_state(id);
  if (leaf.composer < 0 || state.truth == Truth::kFalse) return state;
  const Truth composed = nodes_[engine_.program().composers[leaf.composer].end - 1].truth;
  if (composed == Truth::kFalse) return {Truth::kFalse, {0, 0}};
  if (composed == Truth::kUnknown) state.truth = Truth::kUnknown;
  return state;
}

std::optional<Signal> Evaluation::settled(uint32_t id) {
  refresh();
  const State state = leaf_state(id);
  if (state.truth == Truth::kUnknown || !state.bounds.exact()) return std::nullopt;
  const DecisionProgram::Leaf& leaf = engine_.signals()[id];
  const bool derived = leaf.derived() && composers_ == Composers::kApply;
  const double value = derived ? scores_[engine_.program().mappings[leaf.mapping].score].lo : signals_[id].value;
  return Signal{state.truth == Truth::kTrue, state.bounds.lo, value};
}

void Evaluation::run(DecisionProgram::Root root) {
  State* top = stack_.data();
  for (uint32_t i = root.begin; i < root.end; ++i) {
    const DecisionProgram::Node& node = engine_.program().nodes[i];
    State value;
    switch (node.op) {
      case Op::kLeaf:
        value = leaf_state(node.arg);
        break;
      case Op::kAnd:
        value = all_of(top -= node.arg, node.arg);
        break;
      case Op::kOr:
        value = any_of(top -= node.arg, node.arg);
        break;
      case Op::kNot:
        value = negation(*--top);
        break;
    }
    nodes_[i] = value;
    *top++ = value;
  }
}

void Evaluation::find_modes() {
  const DecisionOrder& order = engine_.order();
  modes_.assign(1, order.plain());
  if (!order.any_tier()) return;
  bool possible = false;
  for (size_t i = 0; i < engine_.decisions(); ++i) {
    if (!order.has_tier(i)) continue;
    if (decision(i).truth == Truth::kTrue) {
      modes_.assign(1, Mode::kTiers);
      return;
    }
    possible = possible || decision(i).truth == Truth::kUnknown;
  }
  if (possible) modes_.push_back(Mode::kTiers);
}

bool Evaluation::surely_before(size_t a, size_t b) const {
  return std::all_of(modes_.begin(), modes_.end(), [&](Mode mode) {
    // If `a` or `b` has a tier and both match, no other mode can count.
    if (mode != Mode::kTiers && (engine_.order().has_tier(a) || engine_.order().has_tier(b))) return true;
    return engine_.order().surely_before(mode, a, decision(a).bounds, b, decision(b).bounds);
  });
}

// The decision that matches and comes before each other one that may. The one that comes first in a round of
// comparisons is the only candidate, since the order is transitive.
std::optional<size_t> Evaluation::fixed_winner() const {
  std::optional<size_t> candidate;
  for (size_t i = 0; i < engine_.decisions(); ++i) {
    if (decision(i).truth != Truth::kTrue) continue;
    if (!candidate || !surely_before(*candidate, i)) candidate = i;
  }
  if (!candidate) return std::nullopt;
  for (size_t i = 0; i < engine_.decisions(); ++i) {
    if (i == *candidate || decision(i).truth == Truth::kFalse) continue;
    if (!surely_before(*candidate, i)) return std::nullopt;
  }
  return candidate;
}

// Decisions that may still win: no decision that matches is sure to come before them. The order being transitive, only
// the matching ones that nothing is sure to beat are compared with.
std::vector<size_t> Evaluation::contenders() const {
  std::vector<size_t> best;
  const auto beaten = [&](size_t i) {
    return std::any_of(best.begin(), best.end(), [&](size_t j) { return j != i && surely_before(j, i); });
  };
  for (size_t i = 0; i < engine_.decisions(); ++i) {
    if (decision(i).truth != Truth::kTrue || beaten(i)) continue;
    std::erase_if(best, [&](size_t j) { return surely_before(i, j); });
    best.push_back(i);
  }
  std::vector<size_t> open;
  for (size_t i = 0; i < engine_.decisions(); ++i) {
    if (decision(i).truth != Truth::kFalse && !beaten(i)) open.push_back(i);
  }
  return open;
}

void Evaluation::gather() {
  winner_.reset();
  needed_.clear();
  std::fill(wanted_.begin(), wanted_.end(), false);
  const auto winner = fixed_winner();
  if (winner) {
    const Bounds bounds = decision(*winner).bounds;
    if (bounds.exact()) {
      winner_ = Winner{static_cast<int32_t>(*winner), bounds.lo};
      return;
    }
    want_confidence(engine_.program().decisions[*winner].end - 1);
  } else {
    gather_contest();
  }
  if (needed_.empty() && !winner) {
    winner_ = Winner{};
    return;
  }
  SignalCost lowest = SignalCost::kClassifier;
  for (const uint32_t id : needed_) lowest = std::min(lowest, engine_.signals()[id].cost);
  std::erase_if(needed_, [&](uint32_t id) { return engine_.signals()[id].cost != lowest; });
}

void Evaluation::gather_contest() {
  const DecisionOrder& order = engine_.order();
  const auto open = contenders();
  std::vector<bool> tied(engine_.decisions());
  for (const Mode mode : modes_) {
    std::vector<uint32_t> members(engine_.decisions());
    for (const size_t i : open) ++members[order.group(mode, i)];
    for (const size_t i : open) tied[i] = tied[i] || members[order.group(mode, i)] > 1;
  }
  for (const size_t i : open) {
    const uint32_t root = engine_.program().decisions[i].end - 1;
    if (decision(i).truth == Truth::kUnknown) want_truth(root);
    if (tied[i]) want_confidence(root);
  }
  if (modes_.size() == 1 || open.empty()) return;
  // A decision that cannot win may still decide in which order the others come.
  for (size_t i = 0; i < engine_.decisions(); ++i) {
    if (order.has_tier(i) && decision(i).truth == Truth::kUnknown) want_truth(engine_.program().decisions[i].end - 1);
  }
}

template <class Visit>
void Evaluation::for_each_child(uint32_t node, Visit&& visit) const {
  const auto& nodes = engine_.program().nodes;
  const uint32_t first = node + 1 - nodes[node].size;
  for (uint32_t end = node; end > first; end -= nodes[end - 1].size) visit(end - 1);
}

void Evaluation::want_leaf(uint32_t id) {
  if (known_[id] || wanted_[id] || !engine_.signals()[id].runs) return;
  wanted_[id] = true;
  needed_.push_back(id);
}

// What the leaf follows from, where it follows from others, else itself.
void Evaluation::want_value(uint32_t id) {
  const DecisionProgram::Leaf& leaf = engine_.signals()[id];
  if (composers_ == Composers::kIgnore || (!leaf.derived() && leaf.partition < 0)) return want_leaf(id);
  if (leaf.partition >= 0) {
    for (const uint32_t member : engine_.program().partitions[leaf.partition].members) want_leaf(member);
    return;
  }
  if (wanted_[id]) return;
  wanted_[id] = true;
  const uint32_t score = engine_.program().mappings[leaf.mapping].score;
  for (const DerivedScore::Input& input : engine_.program().scores[score].inputs) {
    if (input_bounds(input).exact()) continue;
    want_value(input.leaf);
    const int32_t composer = engine_.signals()[input.leaf].composer;
    if (composer >= 0) want_truth(engine_.program().composers[composer].end - 1);
  }
}

void Evaluation::want_truth(uint32_t node) {
  if (nodes_[node].truth != Truth::kUnknown) return;
  const DecisionProgram::Node& each = engine_.program().nodes[node];
  if (each.op == Op::kLeaf) {
    want_value(each.arg);
    const int32_t composer = engine_.signals()[each.arg].composer;
    if (composer >= 0 && composers_ == Composers::kApply) want_truth(engine_.program().composers[composer].end - 1);
    return;
  }
  for_each_child(node, [&](uint32_t child) { want_truth(child); });
}

void Evaluation::want_confidence(uint32_t node) {
  const State& state = nodes_[node];
  if (state.truth == Truth::kFalse || state.bounds.exact()) return;
  const DecisionProgram::Node& each = engine_.program().nodes[node];
  if (each.op == Op::kLeaf) return want_value(each.arg);
  for_each_child(node, [&](uint32_t child) {
    // Of an OR, children that cannot exceed what is sure do not count; of others, which of them match counts too.
    if (each.op == Op::kOr && state.truth == Truth::kTrue && nodes_[child].bounds.hi <= state.bounds.lo) return;
    if (each.op == Op::kOr) want_truth(child);
    want_confidence(child);
  });
}

}  // namespace vsr::routing
