#include "routing/route_explanation.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "routing/decision/decision_trace.h"

namespace vsr::routing {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(nullptr); }

Json truth_of(Truth truth) { return truth == Truth::kUnknown ? Json(nullptr) : Json(truth == Truth::kTrue); }

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

Json rule_of(const RuleTrace& rule) {
  const bool leaf = rule.op == DecisionProgram::Op::kLeaf;
  Json json;
  json[leaf ? "signal" : "operator"] = leaf ? rule.signal.key() : operator_name(rule.op);
  json["truth"] = truth_of(rule.truth);
  json["confidence"] = rule.truth == Truth::kTrue ? Json(rule.confidence) : Json(nullptr);
  if (!rule.composed) json["composer"] = false;
  if (leaf) return json;
  Json conditions = Json::array();
  for (const RuleTrace& child : rule.children) conditions.push_back(rule_of(child));
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

Json reading_of(const SafetyReading& reading) {
  Json texts = Json::array();
  for (const SafetyReading::Text& text : reading.texts) texts.push_back({{"path", text.path}, {"bytes", text.bytes}});
  return {{"scope", reading.scope == TextScope::kEverything ? "everything" : "unanswered"},
          {"signals", reading.signals},
          {"texts", std::move(texts)}};
}

}  // namespace

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
  Json decisions = Json::array();
  for (const DecisionTrace& decision : trace(evaluation, config)) {
    const RuleTrace& root = decision.rules;
    decisions.push_back({{"name", decision.name},
                         {"truth", truth_of(root.truth)},
                         {"confidence", root.truth == Truth::kTrue ? Json(root.confidence) : Json(nullptr)},
                         {"rule", rule_of(root)}});
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
  json["read"] = Json::array();
  for (const SafetyReading& reading : parts.read) json["read"].push_back(reading_of(reading));
  json["skipped"] = skipped_signals(evaluation);
  json["tokens"] = parts.tokens;
  json["tokens_estimated"] = parts.tokens_estimated;
  json["model_passes"] = parts.model_passes;
  json["milliseconds"] = parts.milliseconds;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vsr::routing
