// Lazy evaluation of the decisions for one request: says which signals can still change the outcome, cheapest first,
// and is done as soon as none can. The outcome is always the one of evaluating everything: unknown signals are carried
// as three-valued logic with bounds of confidences, and a winner is fixed only when no signal can undo it.
//
//   Evaluation evaluation(engine);
//   while (!evaluation.done())
//     for (uint32_t id : evaluation.needed()) evaluation.set(id, evaluate(engine.signals()[id]));
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "routing/decision/decision_engine.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// Used by one thread at a time; the engine must outlive it.
class Evaluation {
 public:
  using State = SignalState;

  // Signals that are not run do not match; but see overlooked().
  explicit Evaluation(const DecisionEngine& engine, Composers composers = Composers::kApply);

  // Gives a signal's value; one that is known already is overwritten.
  void set(uint32_t id, const Signal& signal);
  void set(uint32_t id, const SignalValue& value) { set(id, Signal{value.matched, value.confidence, value.value}); }
  bool known(uint32_t id) const { return known_[id]; }

  // The winner is fixed, and so is its confidence.
  bool done();
  // The signals that can still change the outcome, of the lowest cost among them; empty when done. They are independent
  // of each other: all of them may be evaluated at the same time.
  const std::vector<uint32_t>& needed();
  // Throws kState unless done.
  Winner winner();

  // A decision that blocks or protects, does not win, and might have, had the signals that are not run been. Nothing:
  // there is none, or the winner is such a decision itself. Throws kState unless done.
  std::optional<size_t> overlooked();

  // What a leaf says after composers, partitions and projections, as far as it is known; nothing: that is open.
  std::optional<Signal> settled(uint32_t id);

  // What is known of each node of the program and of each decision; for explanations.
  const std::vector<State>& nodes();
  const DecisionEngine& engine() const { return engine_; }

 private:
  void refresh();
  void look();
  void close();
  void run(DecisionProgram::Root root);
  State leaf_state(uint32_t id) const;
  State found_state(uint32_t id) const;
  State member_state(uint32_t id) const;
  Bounds input_bounds(const DerivedScore::Input& input) const;
  Bounds score_bounds(const DerivedScore& score) const;
  const State& decision(size_t i) const { return nodes_[engine_.program().decisions[i].end - 1]; }

  void find_modes();
  bool surely_before(size_t a, size_t b) const;
  std::optional<size_t> fixed_winner() const;
  std::vector<size_t> contenders() const;

  void gather();
  void gather_contest();
  void want_truth(uint32_t node);
  void want_confidence(uint32_t node);
  void want_leaf(uint32_t id);
  void want_value(uint32_t id);
  template <class Visit>
  void for_each_child(uint32_t node, Visit&& visit) const;

  const DecisionEngine& engine_;
  Composers composers_;
  std::vector<Signal> signals_;
  std::vector<bool> known_;
  std::vector<State> nodes_;
  std::vector<State> stack_;
  std::vector<Bounds> scores_;
  mutable std::vector<Signal> settled_;     // room for a partition's members
  std::vector<DecisionOrder::Mode> modes_;  // those that may still be the one that counts
  std::vector<uint32_t> needed_;
  std::vector<bool> wanted_;
  std::optional<Winner> winner_;
  std::optional<size_t> overlooked_;
  bool open_;  // signals that are not run are still unknown, to see what hangs on them
  bool stale_ = true;
};

}  // namespace vsr::routing
