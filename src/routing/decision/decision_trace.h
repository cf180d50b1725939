// Why a decision won: the truth of every node of every rule.
#pragma once

#include <string>
#include <vector>

#include "routing/decision/decision_evaluation.h"

namespace vsr::routing {

struct RuleTrace {
  DecisionProgram::Op op = DecisionProgram::Op::kLeaf;
  SignalRef signal = {};          // of a leaf
  Truth truth = Truth::kUnknown;  // unknown: not evaluated, since it could not change the outcome
  double confidence = 0;          // when true: the least it can be
  bool composed = true;           // of a leaf: its composer does not rule it out
  std::vector<RuleTrace> children = {};
};

struct DecisionTrace {
  std::string name;
  RuleTrace rules;
};

// One per decision, in the file's order. `config` is the one that the evaluation's engine was built from.
std::vector<DecisionTrace> trace(Evaluation& evaluation, const RouterConfig& config);

}  // namespace vsr::routing
