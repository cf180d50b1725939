#include "routing/config/reader/config_decisions.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/suggestion.h"
#include "routing/config/reader/config_algorithm.h"
#include "routing/config/reader/config_models.h"
#include "routing/config/reader/config_plugins.h"
#include "routing/config/reader/config_rules.h"

namespace vsr::routing {
namespace {

using base::YamlNode;
using Json = nlohmann::ordered_json;

void check_lora(const YamlNode& node, const ModelRef& ref, const ConfigContext& context) {
  const CatalogModel* model = context.find_model(ref.model);
  if (model == nullptr || ref.lora_name.empty()) return;
  if (std::find(model->loras.begin(), model->loras.end(), ref.lora_name) != model->loras.end()) return;
  const std::vector<std::string_view> known(model->loras.begin(), model->loras.end());
  node.required("lora_name")
      .fail("is \"" + ref.lora_name + "\", which the modelCard of " + ref.model + " does not list under loras" +
            base::suggestion(ref.lora_name, known));
}

void read_model_refs(const YamlNode& list, std::vector<ModelRef>& refs, ConfigContext& context) {
  for (const YamlNode& node : list.items()) {
    ModelRef ref;
    read_fields(node, context.notes, [&](Fields& fields) { describe_model_ref(fields, ref); });
    context.check_model(node.required("model"), ref.model);
    check_lora(node, ref, context);
    refs.push_back(std::move(ref));
  }
}

// The gateway's own of a decision comes back with it.
void keep_for_gateway(const YamlNode& node, Decision& decision, ConfigContext& context) {
  Json gateway = Json::object();
  for (const char* key :
       {"adaptations", "emits", "output_contract", "output_contract_spec", "annotations", "candidateIterations"}) {
    const auto value = node.optional(key);
    if (!value) continue;
    gateway[key] = to_json(*value);
    context.notes.for_gateway(*value);
  }
  if (!gateway.empty()) decision.gateway = gateway.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void make_plan(const YamlNode& node, Decision& decision, const ModelCatalog& catalog) {
  try {
    decision.plan = call_plan(decision, catalog);
  } catch (const Json::exception&) {
    node.required("algorithm")
        .fail("has a value of a wrong kind: the calls of " + decision.algorithm.type + " cannot be planned");
  }
}

void check_models(const YamlNode& node, const Decision& decision, const ModelCatalog& catalog) {
  if (!decision.models.empty() || decision.plugins.fast_response || !catalog.default_model.empty()) return;
  node.fail("has neither \"modelRefs\" nor a fast_response, and there is no default_model");
}

}  // namespace

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
                [&](const YamlNode& node) { read_model_refs(node, decision.models, *context); });
  fields.custom("algorithm", "algorithm", [](const YamlNode&) {});  // read when the models are known
  fields.custom("plugins", "plugins", [&](const YamlNode& node) { decision.plugins = read_plugins(node, *context); });
  for (const char* key :
       {"adaptations", "emits", "output_contract", "output_contract_spec", "annotations", "candidateIterations"}) {
    fields.custom(key, "", [](const YamlNode&) {});  // kept for the gateway
  }
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
    if (auto& selection = decision.plugins.tool_selection; selection && selection->add) {
      const auto folder = std::filesystem::path(context.config.path).parent_path();
      selection->database = (folder / selection->database).lexically_normal().string();
    }
    keep_for_gateway(node, decision, context);
    if (const auto algorithm = node.optional("algorithm")) {
      decision.algorithm = read_algorithm(*algorithm, decision, context);
    } else {
      decision.algorithm = default_algorithm(decision, context);
    }
    make_plan(node, decision, context.config.catalog);
    check_models(node, decision, context.config.catalog);
    context.config.decisions.push_back(std::move(decision));
  }
}

}  // namespace vsr::routing
