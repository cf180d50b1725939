#include "routing/config/reader/config_algorithm.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/suggestion.h"

namespace vsr::routing {
namespace {

using base::YamlNode;
using Json = nlohmann::ordered_json;
using Kind = Algorithm::Kind;

constexpr ValueRange kPercentile{1, 100};

void describe_latency(Fields& fields, Algorithm& algorithm) {
  fields.integer("tpot_percentile", algorithm.latency.tpot_percentile, kPercentile);
  fields.integer("ttft_percentile", algorithm.latency.ttft_percentile, kPercentile);
  fields.description();
}

void describe_factors(Fields& fields, Algorithm& algorithm) {
  using NoCandidates = FactorSelection::NoCandidates;
  static constexpr Choice<NoCandidates> kNoCandidates[] = {
      {"cheapest", NoCandidates::kCheapest}, {"first", NoCandidates::kFirst}, {"fail", NoCandidates::kFail}};
  FactorSelection& factors = algorithm.factors;
  fields.object("weights", [&](Fields& weights) {
    factors.quality = factors.latency = factors.cost = factors.load = 0;
    weights.number("quality", factors.quality, kNotNegative);
    weights.number("latency", factors.latency, kNotNegative);
    weights.number("cost", factors.cost, kNotNegative);
    weights.number("load", factors.load, kNotNegative);
  });
  fields.object("slo", [&](Fields& slo) {
    slo.optional_number("max_tpot_ms", factors.max_tpot_ms, kNotNegative);
    slo.optional_number("max_ttft_ms", factors.max_ttft_ms, kNotNegative);
    slo.optional_number("max_cost_per_1m", factors.max_cost_per_1m, kNotNegative);
    slo.optional_integer("max_inflight", factors.max_inflight, {0, 1e9});
  });
  fields.integer("latency_percentile", factors.latency_percentile, kPercentile);
  fields.choice("on_no_candidates", factors.on_no_candidates, kNoCandidates);
  fields.description();
}

void describe_descriptions(Fields& fields, Algorithm& algorithm) {
  constexpr std::string_view kGreatest = "the model whose description is nearest is chosen";
  DescriptionSelection& selection = algorithm.descriptions;
  fields.number("min_similarity", selection.min_similarity, {-1, 1});
  fields.flag("require_descriptions", selection.require_descriptions);
  fields.flag("use_capabilities", selection.use_capabilities);
  fields.replaced("temperature", kGreatest);
  fields.replaced("dimension_size", "the embedding model says how long its vectors are");
  fields.replaced("use_query_contrastive", kGreatest);
  fields.replaced("use_model_contrastive", kGreatest);
}

struct AlgorithmKind {
  std::string_view type;
  bool runs;
  Kind kind = Kind::kPlan;
  void (*describe)(Fields&, Algorithm&) = nullptr;
  std::string_view keys = {};  // of a plan's part, separated by spaces
};

constexpr AlgorithmKind kKinds[] = {
    {"static", true, Kind::kStatic},
    {"latency_aware", true, Kind::kLatencyAware, describe_latency},
    {"multi_factor", true, Kind::kMultiFactor, describe_factors},
    {"router_dc", true, Kind::kRouterDc, describe_descriptions},
    {"confidence", true, Kind::kPlan, nullptr,
     "confidence_method threshold hybrid_weights on_error escalation_order cost_quality_tradeoff token_filter "
     "verifier_server_url verifier_timeout_seconds"},
    {"ratings", true, Kind::kPlan, nullptr, "max_concurrent on_error"},
    {"remom", true, Kind::kPlan, nullptr,
     "breadth_schedule model_distribution temperature include_reasoning compaction_strategy compaction_tokens "
     "synthesis_template synthesis_model max_concurrent max_completion_tokens round_timeout_seconds "
     "min_successful_responses on_error shuffle_seed include_intermediate_responses max_responses_per_round"},
    {"fusion", true, Kind::kPlan, nullptr,
     "model analysis_models analysis_overrides max_concurrent max_completion_tokens round_timeout_seconds "
     "min_successful_responses temperature include_analysis include_intermediate_responses on_error analysis_template "
     "synthesis_template judge_prompt_version grounding"},
    {"workflows", true, Kind::kPlan, nullptr,
     "mode template planner roles steps final max_steps max_parallel max_completion_tokens round_timeout_seconds "
     "min_successful_responses temperature include_intermediate_responses on_error"},
    {"automix", true, Kind::kPlan, nullptr,
     "verification_threshold max_escalations cost_aware_routing cost_quality_tradeoff discount_factor "
     "use_logprob_verification enable_self_verification verification_samples verification_temperature "
     "use_pomdp_router belief_particles cost_lambda verifier_server_url enable_cascade"},
    {"prompt", true, Kind::kPlan, nullptr, "model instructions timeout_seconds"},
    {"hybrid", false},
    {"elo", false},
    {"knn", false},
    {"kmeans", false},
    {"svm", false},
    {"mlp", false},
    {"rl_driven", false},
    {"gmtrouter", false},
};

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// Every model that a plan names is one of the file's.
void check_models(const YamlNode& node, ConfigContext& context) {
  if (node.is_list()) {
    for (const YamlNode& item : node.items()) check_models(item, context);
  }
  if (!node.is_map()) return;
  for (const auto& [key, value] : node.entries()) {
    if (value.is_scalar() && (key == "model" || key == "synthesis_model"))
      context.check_model(value, value.as_string());
    if (value.is_list() && (key == "models" || key == "analysis_models")) {
      for (const YamlNode& name : value.items()) {
        if (name.is_scalar()) context.check_model(name, name.as_string());
      }
    }
    check_models(value, context);
  }
}

void check_descriptions(const YamlNode& node, const Algorithm& algorithm, const Decision& decision,
                        const ConfigContext& context) {
  for (const ModelRef& ref : decision.models) {
    const CatalogModel* card = context.find_model(ref.model);
    if (card == nullptr || !card->description.empty() || !algorithm.descriptions.require_descriptions) continue;
    node.fail("requires descriptions, and the modelCard of " + ref.model + " has none");
  }
}

}  // namespace

const std::vector<std::string_view>& algorithm_types() {
  static const std::vector<std::string_view> types = [] {
    std::vector<std::string_view> all;
    for (const AlgorithmKind& kind : kKinds) all.push_back(kind.type);
    return all;
  }();
  return types;
}

Json to_json(const YamlNode& node) {
  if (node.is_null()) return nullptr;
  if (node.is_map()) {
    Json map = Json::object();
    for (const auto& [key, value] : node.entries()) map[key] = to_json(value);
    return map;
  }
  if (node.is_list()) {
    Json list = Json::array();
    for (const YamlNode& item : node.items()) list.push_back(to_json(item));
    return list;
  }
  const std::string text = node.as_string();
  if (node.is_quoted()) return text;
  if (text == "true" || text == "false") return text == "true";
  const char* end = text.data() + text.size();
  int64_t integer = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, integer); error == std::errc() && at == end)
    return integer;
  double number = 0;
  if (const auto [at, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && at == end && number - number == 0) {
    return number;
  }
  return text;
}

Algorithm read_algorithm(const YamlNode& node, const Decision& decision, ConfigContext& context) {
  const YamlNode type = node.required("type");
  const std::string name = type.as_string();
  const auto kind =
      std::find_if(std::begin(kKinds), std::end(kKinds), [&](const auto& each) { return each.type == name; });
  if (kind == std::end(kKinds)) {
    type.fail("is \"" + name + "\", which is no selection algorithm" + base::suggestion(name, algorithm_types()));
  }
  Algorithm algorithm;
  if (!kind->runs) {
    context.notes.not_run(type, "selection algorithm " + name, ": static is used instead");
    node.mark_read();
    return algorithm;
  }
  algorithm.kind = kind->kind;
  algorithm.type = name;
  node.allow_keys({"type", "on_error", name, "description"});
  if (const auto text = node.optional("description")) text->mark_read();
  Json parameters = Json::object();
  const auto part = node.optional(name);
  if (part && kind->describe != nullptr) {
    read_fields(*part, context.notes, [&](Fields& fields) { kind->describe(fields, algorithm); });
  } else if (part) {
    part->allow_keys(words_of(kind->keys));
    check_models(*part, context);
    parameters = to_json(*part);
  }
  if (const auto on_error = node.optional("on_error")) {
    if (algorithm.kind == Kind::kPlan)
      parameters["on_error"] = on_error->as_string();
    else
      context.notes.replaced(*on_error, "a selection without calls does not fail");
  }
  if (algorithm.kind == Kind::kPlan) algorithm.parameters = parameters.dump();
  if (algorithm.kind == Kind::kLatencyAware && !algorithm.latency.tpot_percentile &&
      !algorithm.latency.ttft_percentile) {
    node.fail("names no percentile: latency_aware needs tpot_percentile, ttft_percentile or both");
  }
  if (algorithm.kind == Kind::kRouterDc) check_descriptions(node, algorithm, decision, context);
  return algorithm;
}

}  // namespace vsr::routing
