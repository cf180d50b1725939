// Plans of calls, as JSON: steps one after the other, each of calls to models and how their answers are joined.
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "routing/config/reader/config_algorithm.h"

namespace vsr::routing {
namespace {

using Json = nlohmann::ordered_json;

Json call_of(const ModelRef& ref) {
  Json call = {{"model", ref.model}};
  if (!ref.lora_name.empty()) call["lora"] = ref.lora_name;
  call["reasoning"] = ref.use_reasoning;
  if (ref.reasoning_effort) call["effort"] = *ref.reasoning_effort;
  return call;
}

Json call_of(const std::string& model, const Decision& decision) {
  for (const ModelRef& ref : decision.models) {
    if (ref.model == model) return call_of(ref);
  }
  return {{"model", model}};
}

Json candidates_of(const Decision& decision) {
  Json candidates = Json::array();
  for (const ModelRef& ref : decision.models) {
    candidates.push_back(call_of(ref));
    if (ref.weight != 1) candidates.back()["weight"] = ref.weight;
  }
  return candidates;
}

Json step(Json calls, std::string_view join) { return {{"calls", std::move(calls)}, {"join", join}}; }

// With the members of `parameters` that say how calls are made.
Json parallel(Json calls, std::string_view join, const Json& parameters) {
  Json made = step(std::move(calls), join);
  made["parallel"] = true;
  for (const char* key : {"max_concurrent", "min_successful_responses", "max_completion_tokens",
                          "round_timeout_seconds", "temperature", "on_error"}) {
    if (parameters.contains(key)) made[key] = parameters[key];
  }
  return made;
}

// Cheap models first; those without a price keep their places after them.
std::vector<ModelRef> by_price(const Decision& decision, const ModelCatalog& catalog) {
  std::vector<ModelRef> refs = decision.models;
  const auto price = [&](const ModelRef& ref) {
    const CatalogModel* card = catalog.find(ref.model);
    if (card == nullptr || !(card->prompt_per_1m || card->completion_per_1m))
      return std::numeric_limits<double>::infinity();
    return card->prompt_per_1m.value_or(0) + card->completion_per_1m.value_or(0);
  };
  std::stable_sort(refs.begin(), refs.end(), [&](const auto& a, const auto& b) { return price(a) < price(b); });
  return refs;
}

Json all_of(const std::vector<ModelRef>& refs) {
  Json calls = Json::array();
  for (const ModelRef& ref : refs) calls.push_back(call_of(ref));
  return calls;
}

Json escalation(const std::vector<ModelRef>& refs, const Json& parameters) {
  Json steps = Json::array();
  for (const ModelRef& ref : refs) {
    const bool last = steps.size() + 1 == refs.size();
    steps.push_back(step(Json::array({call_of(ref)}), last ? "answer" : "answer_if_confident"));
    if (!last) steps.back()["accept"] = parameters;
  }
  return steps;
}

Json fusion(const Decision& decision, const Json& parameters) {
  Json calls = Json::array();
  if (parameters.contains("analysis_models")) {
    for (const Json& model : parameters["analysis_models"])
      calls.push_back(call_of(model.get<std::string>(), decision));
  } else {
    calls = all_of(decision.models);
  }
  for (Json& call : calls) {
    for (const Json& other : parameters.value("analysis_overrides", Json::array())) {
      if (other.value("model", "") == call["model"]) call.update(other);
    }
  }
  const std::string judge = parameters.value("model", decision.models.empty() ? "" : decision.models.front().model);
  return {parallel(std::move(calls), "all", parameters), step(Json::array({call_of(judge, decision)}), "synthesize")};
}

Json rounds(const Decision& decision, const Json& parameters) {
  Json steps = Json::array();
  size_t next = 0;
  for (const Json& breadth : parameters.value("breadth_schedule", Json::array({1}))) {
    Json calls = Json::array();
    for (int64_t i = 0; i < std::min<int64_t>(breadth.is_number_integer() ? breadth.get<int64_t>() : 1, 64); ++i) {
      if (!decision.models.empty()) calls.push_back(call_of(decision.models[next++ % decision.models.size()]));
    }
    steps.push_back(parallel(std::move(calls), steps.empty() ? "all" : "refine", parameters));
  }
  const std::string last =
      parameters.value("synthesis_model", decision.models.empty() ? "" : decision.models.front().model);
  steps.push_back(step(Json::array({call_of(last, decision)}), "synthesize"));
  return steps;
}

Json workflow(const Decision& decision, const Json& parameters) {
  Json steps = Json::array();
  std::string first = decision.models.empty() ? "" : decision.models.front().model;
  if (parameters.contains("planner")) {
    first = parameters["planner"].value("model", first);
    steps.push_back(step(Json::array({call_of(first, decision)}), "plan"));
    steps.back().update(parameters["planner"]);
  }
  steps.push_back(parallel(all_of(decision.models), "by_plan", parameters));
  for (const char* key : {"max_steps", "max_parallel", "template", "mode", "roles", "steps"}) {
    if (parameters.contains(key)) steps.back()[key] = parameters[key];
  }
  if (parameters.contains("final")) first = parameters["final"].value("model", first);
  steps.push_back(step(Json::array({call_of(first, decision)}), "synthesize"));
  return steps;
}

Json steps_of(const Decision& decision, const ModelCatalog& catalog, const Json& parameters) {
  const std::string& type = decision.algorithm.type;
  if (type == "confidence") {
    const bool as_listed = parameters.value("escalation_order", "small_to_large") != "small_to_large";
    return escalation(as_listed ? decision.models : by_price(decision, catalog), parameters);
  }
  if (type == "automix") return escalation(by_price(decision, catalog), parameters);
  if (type == "ratings") return Json::array({parallel(all_of(decision.models), "return_all", parameters)});
  if (type == "fusion") return fusion(decision, parameters);
  if (type == "remom") return rounds(decision, parameters);
  if (type == "workflows") return workflow(decision, parameters);
  Json chooser = step(Json::array({call_of(parameters.value("model", ""), decision)}), "choose_candidate");
  return Json::array({chooser, step(Json::array(), "answer")});  // prompt
}

}  // namespace

std::string call_plan(const Decision& decision, const ModelCatalog& catalog) {
  const bool plans = decision.algorithm.kind == Algorithm::Kind::kPlan;
  if (!plans && decision.models.size() < 2 && decision.gateway.empty()) return "";
  Json plan = {{"algorithm", decision.algorithm.type}, {"candidates", candidates_of(decision)}};
  if (plans) {
    const Json parameters = Json::parse(decision.algorithm.parameters);
    plan["steps"] = steps_of(decision, catalog, parameters);
    plan["parameters"] = parameters;
  }
  if (!decision.gateway.empty()) plan["gateway"] = Json::parse(decision.gateway);
  return plan.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace vsr::routing
