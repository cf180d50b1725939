#include "routing/config/reader/config_decisions.h"

#include <algorithm>
#include <set>

#include "base/suggestion.h"
#include "routing/config/reader/config_models.h"
#include "routing/config/reader/config_plugins.h"
#include "routing/config/reader/config_rules.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

void check_lora(const YamlNode& node, const ModelRef& ref, const ConfigContext& context) {
  const CatalogModel* model = context.find_model(ref.model);
  if (model == nullptr || ref.lora_name.empty()) return;
  if (std::find(model->loras.begin(), model->loras.end(), ref.lora_name) != model->loras.end()) return;
  const std::vector<std::string_view> known(model->loras.begin(), model->loras.end());
  node.required("lora_name")
      .fail("is \"" + ref.lora_name + "\", which the modelCard of " + ref.model + " does not list under loras" +
            base::suggestion(ref.lora_name, known));
}

void read_model_refs(const YamlNode& list, std::vector<ModelRef>& refs, const ConfigContext& context,
                     ConfigNotes& notes) {
  for (const YamlNode& node : list.items()) {
    ModelRef ref;
    read_fields(node, notes, [&](Fields& fields) { describe_model_ref(fields, ref); });
    context.check_model(node.required("model"), ref.model);
    check_lora(node, ref, context);
    refs.push_back(std::move(ref));
  }
}

// Without an algorithm of its own a decision takes the first of its models that fits, as `static` does.
void read_algorithm(const YamlNode& node, ConfigNotes& notes) {
  const YamlNode type = node.required("type");
  const std::string name = type.as_string();
  const auto& types = algorithm_types();
  if (std::find(types.begin(), types.end(), name) == types.end()) {
    type.fail("is \"" + name + "\", which is no selection algorithm" + base::suggestion(name, types));
  }
  if (name != "static") notes.not_run(type, "selection algorithm " + name, ": static stands in its place");
}

void check_models(const YamlNode& node, const Decision& decision, const ModelCatalog& catalog) {
  if (!decision.models.empty() || decision.plugins.fast_response || !catalog.default_model.empty()) return;
  node.fail("has neither \"modelRefs\" nor a fast_response, and there is no default_model");
}

}  // namespace

const std::vector<std::string_view>& algorithm_types() {
  static const std::vector<std::string_view> types = {
      "static",  "confidence", "ratings", "remom",         "fusion",   "workflows",    "router_dc",
      "automix", "hybrid",     "elo",     "latency_aware", "prompt",   "multi_factor", "knn",
      "kmeans",  "svm",        "mlp",     "rl_driven",     "gmtrouter"};
  return types;
}

void describe_model_ref(Fields& fields, ModelRef& ref) {
  fields.text("model", ref.model, Presence::kRequired);
  fields.text("lora_name", ref.lora_name);
  fields.number("weight", ref.weight, kNotNegative);
  fields.flag("use_reasoning", ref.use_reasoning);
  std::string effort = ref.reasoning_effort.value_or("");
  describe_effort(fields, "reasoning_effort", effort);
  if (!effort.empty()) ref.reasoning_effort = effort;
  fields.for_people("reasoning_description");
}

void describe_decision(Fields& fields, Decision& decision, ConfigContext* context) {
  fields.text("name", decision.name, Presence::kRequired);
  fields.text("description", decision.description);
  fields.number("priority", decision.priority, {-1e9, 1e9});
  fields.integer("tier", decision.tier, {0, 1e9});
  fields.custom("rules", "rule", [&](const YamlNode& node) { decision.rules = read_rule(node, *context); });
  fields.custom("modelRefs", "modelRefs",
                [&](const YamlNode& node) { read_model_refs(node, decision.models, *context, context->notes); });
  fields.custom("algorithm", "algorithm", [&](const YamlNode& node) { read_algorithm(node, context->notes); });
  fields.custom("plugins", "plugins", [&](const YamlNode& node) { decision.plugins = read_plugins(node, *context); });
  for (const char* key : {"candidateIterations", "output_contract", "output_contract_spec", "adaptations", "emits"}) {
    fields.not_run(key, key);
  }
  fields.for_people("annotations");
}

void read_decisions(const YamlNode& list, ConfigContext& context) {
  check_length(list, kMostNames);
  std::set<std::string> seen;
  for (const YamlNode& node : list.items()) {
    Decision decision;
    read_fields(node, context.notes, [&](Fields& fields) { describe_decision(fields, decision, &context); });
    if (!seen.insert(decision.name).second) {
      node.required("name").fail("is \"" + decision.name + "\", which is given twice");
    }
    decision.where = node.where();
    check_models(node, decision, context.config.catalog);
    context.config.decisions.push_back(std::move(decision));
  }
}

}  // namespace vsr::routing
