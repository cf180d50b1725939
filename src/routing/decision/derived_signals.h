// Signals that follow from others: members of partitions, of which one matches, and the outputs of projections.
//
// The same functions serve values and bounds of values, in the same order of operations, so that what is known of a
// sum when every signal is known is that sum to the last bit.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "routing/config/projections.h"
#include "routing/decision/decision_order.h"

namespace vsr::routing {

// What a signal says, as far as rules and scores read it. Confidences outside 0 .. 1 count as the nearest of the two,
// NaN as 0; a value that is not finite counts as 0.
struct Signal {
  bool matched = false;
  double confidence = 0;
  double value = 0;
};

enum class Truth : uint8_t { kFalse, kTrue, kUnknown };

// What is known of a signal.
struct SignalState {
  Truth truth = Truth::kUnknown;
  Bounds bounds = {0, 1};  // of the confidence if it matches
};

// Leaves by their ids in the program.
struct DerivedPartition {
  std::vector<uint32_t> members = {};
  uint32_t fallback = 0;  // a leaf
  bool softmax = false;
  double temperature = 1;

  // Makes all members but the winner unmatched.
  void settle(std::span<Signal> values) const;
};

struct DerivedScore {
  struct Input {
    uint32_t leaf = 0;
    double weight = 0;
    ScoreRule::Source source = ScoreRule::Source::kBinary;
    double match = 1;
    double miss = 0;

    double of(const Signal& signal) const;
    // `value`: what is known of the signal's.
    Bounds of(const SignalState& state, Bounds value) const;
  };
  std::vector<Input> inputs = {};
};

struct DerivedMapping {
  struct Output {
    int64_t leaf = -1;  // -1: no rule names it
    NumericPredicate band = {};
  };
  uint32_t score = 0;
  bool all = false;
  double slope = 12;
  std::vector<Output> outputs = {};

  Signal output(size_t index, double score) const;
  SignalState output(size_t index, Bounds score) const;
};

}  // namespace vsr::routing
