// The rules of all decisions, compiled: leaves interned to dense ids, trees laid out in post-order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "routing/config/router_config.h"
#include "routing/config/signal_kind.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// What a signal says, as far as rules read it. Confidences outside 0 .. 1 count as the nearest of the two, NaN as 0.
struct Signal {
  bool matched = false;
  double confidence = 0;
};

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
    int32_t composer = -1;  // into `composers`: the leaf matches only if that does too
    bool runs = true;       // false: a signal that is skipped, which does not match
  };
  struct Root {
    uint32_t begin = 0;  // its nodes
    uint32_t end = 0;
  };

  // Composers come first, each after those that it needs.
  explicit DecisionProgram(const RouterConfig& config);

  std::vector<Node> nodes;
  std::vector<Leaf> leaves;
  std::vector<Root> composers;
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
