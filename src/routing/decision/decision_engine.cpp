#include "routing/decision/decision_engine.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/suggestion.h"
#include "routing/config/domains.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;
using Op = DecisionProgram::Op;

Signal all_of(const Signal* values, uint32_t count) {
  if (count == 0) return {true, 0};
  double sum = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (!values[i].matched) return {};
    sum += values[i].confidence;
  }
  return {true, sum / count};
}

Signal any_of(const Signal* values, uint32_t count) {
  Signal any;
  for (uint32_t i = 0; i < count; ++i) {
    if (!values[i].matched) continue;
    any.confidence = any.matched ? std::max(any.confidence, values[i].confidence) : values[i].confidence;
    any.matched = true;
  }
  return any;
}

double within_unit(double confidence) { return confidence > 0 ? std::min(confidence, 1.0) : 0; }

// Domains may be written in several ways.
std::string canonical_key(const std::string& name) {
  constexpr std::string_view kDomain = "domain:";
  if (name.compare(0, kDomain.size(), kDomain) != 0) return name;
  return std::string(kDomain) + canonical_domain(std::string_view(name).substr(kDomain.size()));
}

}  // namespace

DecisionEngine::DecisionEngine(const RouterConfig& config) : program_(config), order_(config) {
  for (const SignalRef& ref : config.signal_names) names_.emplace(canonical_key(ref.key()), program_.find(ref));
  for (const auto& leaf : program_.leaves) names_.emplace(canonical_key(leaf.ref.key()), program_.find(leaf.ref));
}

DecisionEngine::Scratch DecisionEngine::scratch() const {
  Scratch scratch;
  scratch.stack_.resize(program_.depth);
  scratch.composers_.resize(program_.composers.size());
  scratch.scores_.resize(program_.scores.size());
  if (!program_.steps.empty()) scratch.values_.resize(program_.leaves.size());
  return scratch;
}

Signal DecisionEngine::value(uint32_t leaf, std::span<const Signal> values, const Scratch& scratch,
                             Composers composers) const {
  const int32_t composer = program_.leaves[leaf].composer;
  const bool composed = composer < 0 || composers == Composers::kIgnore || scratch.composers_[composer] != 0;
  const Signal& signal = values[leaf];
  const double measured = std::isfinite(signal.value) ? signal.value : 0;
  return signal.matched && composed ? Signal{true, within_unit(signal.confidence), measured}
                                    : Signal{false, 0, measured};
}

Signal DecisionEngine::run(DecisionProgram::Root root, std::span<const Signal> values, Scratch& scratch,
                           Composers composers) const {
  Signal* top = scratch.stack_.data();
  for (uint32_t i = root.begin; i < root.end; ++i) {
    const DecisionProgram::Node& node = program_.nodes[i];
    switch (node.op) {
      case Op::kLeaf:
        *top++ = value(node.arg, values, scratch, composers);
        break;
      case Op::kAnd:
        top -= node.arg;
        *top = all_of(top, node.arg);
        ++top;
        break;
      case Op::kOr:
        top -= node.arg;
        *top = any_of(top, node.arg);
        ++top;
        break;
      case Op::kNot:
        top[-1] = top[-1].matched ? Signal{} : Signal{true, 1};
        break;
    }
  }
  return scratch.stack_.front();
}

void DecisionEngine::settle(const DecisionProgram::Step& step, Scratch& scratch) const {
  using Kind = DecisionProgram::Step::Kind;
  switch (step.kind) {
    case Kind::kComposer: {
      const Signal composed = run(program_.composers[step.index], scratch.values_, scratch, Composers::kApply);
      scratch.composers_[step.index] = composed.matched ? 1 : 0;
      break;
    }
    case Kind::kPartition:
      program_.partitions[step.index].settle(scratch.values_);
      break;
    case Kind::kScore: {
      double sum = 0;
      for (const DerivedScore::Input& input : program_.scores[step.index].inputs) {
        sum += input.of(value(input.leaf, scratch.values_, scratch, Composers::kApply));
      }
      scratch.scores_[step.index] = sum;
      break;
    }
    case Kind::kMapping: {
      const DerivedMapping& mapping = program_.mappings[step.index];
      for (size_t i = 0; i < mapping.outputs.size(); ++i) {
        const int64_t leaf = mapping.outputs[i].leaf;
        if (leaf >= 0) scratch.values_[static_cast<size_t>(leaf)] = mapping.output(i, scratch.scores_[mapping.score]);
      }
      break;
    }
  }
}

Winner DecisionEngine::decide(std::span<const Signal> signals, Scratch& scratch, Composers composers) const {
  if (signals.size() != program_.leaves.size()) {
    fail(Status::kInvalidArgument, "signals has ", signals.size(), " values, expected ", program_.leaves.size());
  }
  if (composers == Composers::kApply && !program_.steps.empty()) {
    for (size_t i = 0; i < signals.size(); ++i) {
      scratch.values_[i] = {signals[i].matched, within_unit(signals[i].confidence), signals[i].value};
    }
    for (const DecisionProgram::Step& step : program_.steps) settle(step, scratch);
    signals = scratch.values_;
  }
  // Which order counts is known when all decisions are, so the first of both is kept.
  Winner plain;
  Winner tiers;
  bool any_tier = false;
  for (size_t i = 0; i < program_.decisions.size(); ++i) {
    const Signal value = run(program_.decisions[i], signals, scratch, composers);
    if (!value.matched) continue;
    any_tier = any_tier || order_.has_tier(i);
    const auto keep_first = [&](DecisionOrder::Mode mode, Winner& best) {
      if (best.decision != Winner::kNone &&
          !order_.before(mode, i, value.confidence, static_cast<size_t>(best.decision), best.confidence)) {
        return;
      }
      best = {static_cast<int32_t>(i), value.confidence};
    };
    keep_first(order_.plain(), plain);
    if (order_.any_tier()) keep_first(DecisionOrder::Mode::kTiers, tiers);
  }
  return any_tier ? tiers : plain;
}

std::vector<Signal> DecisionEngine::from_names(const std::map<std::string, double>& given) const {
  std::vector<Signal> signals(program_.leaves.size());
  for (const auto& [name, confidence] : given) {
    const auto at = names_.find(canonical_key(name));
    if (at == names_.end()) {
      std::vector<std::string_view> known;
      for (const auto& [each, id] : names_) known.push_back(each);
      fail(Status::kInvalidArgument, "\"", name, "\" is no signal of the config, expected \"type:name\"",
           base::suggestion(name, known));
    }
    if (!(confidence >= 0 && confidence <= 1)) {
      fail(Status::kInvalidArgument, "the confidence of \"", name, "\" is ", confidence, ", expected 0 to 1");
    }
    if (at->second >= 0) signals[static_cast<size_t>(at->second)] = {true, confidence};
  }
  return signals;
}

Winner DecisionEngine::decide(const std::map<std::string, double>& given) const {
  Scratch room = scratch();
  return decide(from_names(given), room, Composers::kIgnore);
}

}  // namespace vsr::routing
