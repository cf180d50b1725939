#include "routing/rewrite/request_plan.h"

#include "base/error.h"

namespace vsr::routing {
namespace {

ReasoningEdit reasoning_edit(const ModelCatalog& catalog, const CatalogModel& model, const ModelChoice& choice) {
  const auto family = catalog.reasoning_families.find(model.reasoning_family);
  if (family == catalog.reasoning_families.end())
    base::fail(base::Status::kInvalidArgument, "model ", model.name, ": reasoning family \"", model.reasoning_family,
               "\" is not among providers.defaults.reasoning_families");
  const bool openai = model.api_format.empty() || model.api_format.starts_with("openai");
  return {.family = family->second, .on = *choice.reasoning, .effort = choice.effort, .openai = openai};
}

}  // namespace

RequestPlan plan_request(const ModelCatalog& catalog, const Decision* decision, const ModelChoice& choice,
                         int64_t prompt_tokens) {
  RequestPlan plan;
  if (!choice.routed) return plan;
  plan.model = choice.lora.empty() ? choice.model : choice.lora;
  if (decision) {
    plan.system_prompt = decision->plugins.system_prompt;
    plan.params = decision->plugins.request_params.value_or(RequestParamsPlugin());
  }
  if (const CatalogModel* model = catalog.find(choice.model)) {
    plan.context_window = model->context_window;
    plan.prompt_tokens = prompt_tokens;
    if (choice.reasoning && !model->reasoning_family.empty()) plan.reasoning = reasoning_edit(catalog, *model, choice);
  }
  if (decision && decision->plugins.context_compression) {
    plan.compression = CompressionPlan{*decision->plugins.context_compression, plan.context_window};
  }
  return plan;
}

}  // namespace vsr::routing
