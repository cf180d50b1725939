// The rules of all decisions, compiled: leaves interned to dense ids, trees laid out in post-order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "routing/config/router_config.h"
#include "routing/config/signal_kind.h"
#include "routing/decision/derived_signals.h"

namespace vsr::routing {

struct DecisionProgram {
  enum class Op : uint8_t { kLeaf, kAnd, kOr, kNot };
  struct Node {
    Op op = Op::kLeaf;
    uint32_t arg = 0;   // of kLeaf: its id; else the number of children
    uint32_t size = 1;  // nodes of the subtree; its last one is this, its last child is right before it
  };
  struct Leaf {
    SignalRef ref;
    SignalCost cost = SignalCost::kFree;
    int32_t composer = -1;   // into `composers`: the leaf matches only if that does too
    int32_t partition = -1;  // into `partitions`: it matches only if it wins there
    int32_t mapping = -1;    // into `mappings`: it is output `output` of that
    uint32_t output = 0;
    bool runs = true;  // false: a signal that is skipped, which does not match
    // It follows from other leaves, and is not evaluated.
    bool derived() const { return mapping >= 0; }
  };
  struct Root {
    uint32_t begin = 0;  // its nodes
    uint32_t end = 0;
  };

  // What is settled before decisions, in this order: each after those that it needs.
  struct Step {
    enum class Kind : uint8_t { kComposer, kPartition, kScore, kMapping };
    Kind kind;
    uint32_t index;
  };

  explicit DecisionProgram(const RouterConfig& config);

  std::vector<Node> nodes;
  std::vector<Leaf> leaves;
  std::vector<Step> steps;
  std::vector<Root> composers;
  std::vector<DerivedPartition> partitions;
  std::vector<DerivedScore> scores;
  std::vector<DerivedMapping> mappings;
  std::vector<Root> decisions;
  std::vector<bool> guards;  // by decision: it blocks or protects (Plugins::guards)
  bool guards_open = false;  // there is such a decision, and a leaf that is not run
  uint32_t depth = 0;        // values that evaluation holds at most

  // The id of a leaf, or -1 for a signal that no rule names.
  int64_t find(const SignalRef& ref) const;

 private:
  class Compiler;
  std::map<std::string, uint32_t> ids_;
};

}  // namespace vsr::routing
