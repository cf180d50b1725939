// The decision engine: from signals to the decision that wins. Built once from a config, then immutable: any number of
// threads may use it.
//
// A leaf matches when its signal does, even with confidence 0. AND: all match, confidence the mean; OR: any matches,
// the largest of those; NOT: confidence 1 when its child does not match; a rule without conditions, or an empty AND,
// matches with confidence 0. Which matching decision wins: decision_order.h.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "routing/config/router_config.h"
#include "routing/decision/decision_order.h"
#include "routing/decision/decision_program.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// Whether the composers of complexity signals, partitions and projections are applied: to what signals found, yes; to
// final values that somebody gives, no.
enum class Composers : uint8_t { kApply, kIgnore };

struct Winner {
  static constexpr int32_t kNone = -1;
  int32_t decision = kNone;  // into RouterConfig::decisions
  double confidence = 0;     // 0 without a decision
  friend bool operator==(const Winner&, const Winner&) = default;
};

class DecisionEngine {
 public:
  // Room for one evaluation at a time, to be reused.
  class Scratch {
   private:
    friend class DecisionEngine;
    std::vector<Signal> stack_;
    std::vector<Signal> values_;  // of the leaves, settled
    std::vector<uint8_t> composers_;
    std::vector<double> scores_;
  };

  explicit DecisionEngine(const RouterConfig& config);

  // The signals that rules name, by id.
  const std::vector<DecisionProgram::Leaf>& signals() const { return program_.leaves; }
  size_t decisions() const { return program_.decisions.size(); }
  const DecisionProgram& program() const { return program_; }
  const DecisionOrder& order() const { return order_; }

  Scratch scratch() const;
  // From all signals, by id. Allocates nothing. `scratch` must be of this engine.
  Winner decide(std::span<const Signal> signals, Scratch& scratch, Composers composers = Composers::kApply) const;

  // The signals of "type:name" -> confidence, by id: present matches, absent does not. Throws kInvalidArgument for a
  // name that the config does not define, with a suggestion, and for a confidence that is not within 0 .. 1.
  std::vector<Signal> from_names(const std::map<std::string, double>& given) const;
  // Final values by name: composers are not applied to them.
  Winner decide(const std::map<std::string, double>& given) const;

 private:
  Signal value(uint32_t leaf, std::span<const Signal> values, const Scratch& scratch, Composers composers) const;
  Signal run(DecisionProgram::Root root, std::span<const Signal> values, Scratch& scratch, Composers composers) const;
  void settle(const DecisionProgram::Step& step, Scratch& scratch) const;

  DecisionProgram program_;
  DecisionOrder order_;
  std::map<std::string, int64_t> names_;  // all that the config defines -> id, or -1 for what no rule names
};

}  // namespace vsr::routing
