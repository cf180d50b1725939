#include "routing/route_explanation.h"

#include <nlohmann/json.hpp>

namespace vsr::routing {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

Json truth_of(const Evaluation::State& state) {
  return state.truth == Truth::kUnknown ? Json(nullptr) : Json(state.truth == Truth::kTrue);
}

const char* operator_name(DecisionProgram::Op op) {
  switch (op) {
    case DecisionProgram::Op::kAnd:
      return "AND";
    case DecisionProgram::Op::kOr:
      return "OR";
    case DecisionProgram::Op::kNot:
      return "NOT";
    case DecisionProgram::Op::kLeaf:
      break;
  }
  return "signal";
}

// Nodes stand in post-order: a node behind its children, its last child right before it.
Json rule_of(const DecisionProgram& program, const std::vector<Evaluation::State>& states, uint32_t node) {
  const DecisionProgram::Node& here = program.nodes[node];
  Json json;
  if (here.op == DecisionProgram::Op::kLeaf) {
    json["signal"] = program.leaves[here.arg].ref.key();
  } else {
    json["operator"] = operator_name(here.op);
  }
  json["truth"] = truth_of(states[node]);
  json["confidence"] = states[node].bounds.exact() ? Json(states[node].bounds.lo) : Json(nullptr);
  if (here.op == DecisionProgram::Op::kLeaf) return json;
  std::vector<uint32_t> children;
  for (uint32_t child = node; children.size() < here.arg;) {
    child -= children.empty() ? 1 : program.nodes[child].size;
    children.push_back(child);
  }
  Json conditions = Json::array();
  for (auto child = children.rbegin(); child != children.rend(); ++child) {
    conditions.push_back(rule_of(program, states, *child));
  }
  json["conditions"] = std::move(conditions);
  return json;
}

Json skipped_signals(const Evaluation& evaluation) {
  Json skipped = Json::array();
  const auto& leaves = evaluation.engine().signals();
  for (uint32_t id = 0; id < leaves.size(); ++id) {
    if (!leaves[id].runs) {
      skipped.push_back({{"name", leaves[id].ref.key()}, {"why", "vsr does not run this kind of signal"}});
    } else if (!evaluation.known(id)) {
      skipped.push_back({{"name", leaves[id].ref.key()}, {"why", "it could not change the outcome any more"}});
    }
  }
  return skipped;
}

}  // namespace

const char* outcome_name(RouteOutcome outcome) {
  switch (outcome) {
    case RouteOutcome::kForward:
      return "forward";
    case RouteOutcome::kRespond:
      return "respond";
    case RouteOutcome::kCached:
      return "cached";
    case RouteOutcome::kPassthrough:
      return "passthrough";
    case RouteOutcome::kNone:
      break;
  }
  return "none";
}

std::string explain(Evaluation& evaluation, const RouterConfig& config, const ExplanationParts& parts) {
  const Routed& routed = parts.routed;
  Json json = {{"decision", or_null(routed.decision)},
               {"confidence", routed.confidence},
               {"outcome", outcome_name(routed.outcome)},
               {"model", or_null(routed.model)},
               {"lora", or_null(routed.lora)},
               {"reasoning", routed.reasoning},
               {"effort", or_null(routed.effort)},
               {"notes", parts.notes}};
  const DecisionProgram& program = evaluation.engine().program();
  const std::vector<Evaluation::State>& states = evaluation.nodes();
  Json decisions = Json::array();
  for (size_t i = 0; i < config.decisions.size(); ++i) {
    const uint32_t root = program.decisions[i].end - 1;
    decisions.push_back({{"name", config.decisions[i].name},
                         {"truth", truth_of(states[root])},
                         {"confidence", states[root].bounds.exact() ? Json(states[root].bounds.lo) : Json(nullptr)},
                         {"rule", rule_of(program, states, root)}});
  }
  json["decisions"] = std::move(decisions);
  Json signals = Json::array();
  for (const EvaluatedSignal& signal : routed.signals) {
    signals.push_back({{"name", signal.name},
                       {"matched", signal.value.matched},
                       {"confidence", signal.value.confidence},
                       {"value", signal.value.value},
                       {"milliseconds", signal.milliseconds},
                       {"detail", signal.value.detail}});
  }
  json["signals"] = std::move(signals);
  json["skipped"] = skipped_signals(evaluation);
  json["tokens"] = parts.tokens;
  json["tokens_estimated"] = parts.tokens_estimated;
  json["model_passes"] = parts.model_passes;
  json["milliseconds"] = parts.milliseconds;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vsr::routing
