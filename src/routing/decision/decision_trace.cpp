#include "routing/decision/decision_trace.h"

#include <algorithm>

namespace vsr::routing {
namespace {

class Tracer {
 public:
  explicit Tracer(Evaluation& evaluation) : program_(evaluation.engine().program()), states_(evaluation.nodes()) {}

  RuleTrace operator()(uint32_t index) const {
    const DecisionProgram::Node& node = program_.nodes[index];
    const Evaluation::State& state = states_[index];
    RuleTrace trace{node.op};
    trace.truth = state.truth;
    trace.confidence = state.truth == Truth::kTrue ? state.bounds.lo : 0;
    if (node.op == DecisionProgram::Op::kLeaf) {
      const DecisionProgram::Leaf& leaf = program_.leaves[node.arg];
      trace.signal = leaf.ref;
      trace.composed = leaf.composer < 0 || states_[program_.composers[leaf.composer].end - 1].truth != Truth::kFalse;
      return trace;
    }
    const uint32_t first = index + 1 - node.size;
    for (uint32_t end = index; end > first; end -= program_.nodes[end - 1].size) {
      trace.children.push_back((*this)(end - 1));
    }
    std::reverse(trace.children.begin(), trace.children.end());
    return trace;
  }

 private:
  const DecisionProgram& program_;
  const std::vector<Evaluation::State>& states_;
};

}  // namespace

std::vector<DecisionTrace> trace(Evaluation& evaluation, const RouterConfig& config) {
  const Tracer tracer(evaluation);
  const auto& roots = evaluation.engine().program().decisions;
  std::vector<DecisionTrace> traces;
  traces.reserve(roots.size());
  for (size_t i = 0; i < roots.size(); ++i) traces.push_back({config.decisions[i].name, tracer(roots[i].end - 1)});
  return traces;
}

}  // namespace vsr::routing
