#include "routing/config/reader/config_models.h"

#include <set>

#include "base/suggestion.h"
#include "routing/config/reader/config_fields.h"

namespace vsr::routing {
namespace {

using base::YamlNode;
using Describe = void (*)(Fields&, CatalogModel&);

void describe_pricing(Fields& fields, CatalogModel& model) {
  fields.text("currency", model.currency);
  fields.optional_number("prompt_per_1m", model.prompt_per_1m, kNotNegative);
  fields.optional_number("completion_per_1m", model.completion_per_1m, kNotNegative);
  for (const char* key : {"cached_input_per_1m", "cache_write_per_1m"}) fields.for_gateway(key);
}

// Models of one list, joined by name with what is known of them.
class Catalog {
 public:
  explicit Catalog(ConfigContext& context) : context_(context) {}

  void read(const YamlNode& list, Describe describe) {
    check_length(list, kMostNames);
    std::set<std::string> seen;
    for (const YamlNode& node : list.items()) {
      const std::string name = node.required("name").as_string();
      if (!seen.insert(name).second) node.required("name").fail("is \"" + name + "\", which is given twice");
      read_fields(node, context_.notes, [&](Fields& fields) { describe(fields, model(name)); });
    }
    context_.defines_models = true;
  }

 private:
  CatalogModel& model(const std::string& name) {
    auto& models = context_.config.catalog.models;
    const auto [at, added] = context_.models.emplace(name, models.size());
    if (added) models.emplace_back();
    return models[at->second];
  }

  ConfigContext& context_;
};

void read_families(const YamlNode& node, ConfigContext& context) {
  for (const auto& [name, family] : node.entries()) {
    ReasoningFamily& value = context.config.catalog.reasoning_families[name];
    read_fields(family, context.notes, [&](Fields& fields) { describe_reasoning_family(fields, value); });
  }
}

void check_families(const YamlNode& models, const ModelCatalog& catalog) {
  std::vector<std::string_view> known;
  for (const auto& [name, family] : catalog.reasoning_families) known.push_back(name);
  for (const YamlNode& node : models.items()) {
    const auto family = node.optional("reasoning_family");
    if (!family || family->as_string().empty()) continue;
    if (catalog.reasoning_families.count(family->as_string()) != 0) continue;
    family->fail("is \"" + family->as_string() + "\", which providers.defaults.reasoning_families does not define" +
                 base::suggestion(family->as_string(), known));
  }
}

// Prices in several currencies cannot be compared.
void check_currencies(const YamlNode& models, ConfigContext& context) {
  const CatalogModel* first = nullptr;
  for (const CatalogModel& model : context.config.catalog.models) {
    if (model.currency.empty()) continue;
    if (first == nullptr) first = &model;
    if (first->currency == model.currency) continue;
    context.notes.warn(models.where(), "prices are compared as numbers, but that of " + model.name + " is in " +
                                           model.currency + " and that of " + first->name + " in " + first->currency);
    return;
  }
}

void read_defaults(const YamlNode& defaults, ConfigContext& context) {
  ModelCatalog& catalog = context.config.catalog;
  read_fields(defaults, context.notes, [&](Fields& fields) {
    fields.text("default_model", catalog.default_model);
    describe_effort(fields, "default_reasoning_effort", catalog.default_reasoning_effort);
    fields.custom("reasoning_families", "reasoning_families",
                  [&](const YamlNode& node) { read_families(node, context); });
  });
}

}  // namespace

void describe_card(Fields& fields, CatalogModel& model) {
  fields.text("name", model.name, Presence::kRequired);
  fields.tokens("context_window_size", model.context_window);
  fields.number("quality_score", model.quality_score, kNotNegative);
  fields.custom("loras", "loras", [&](const YamlNode& loras) {
    check_length(loras, kMostAliases);
    for (const YamlNode& lora : loras.items()) {
      lora.allow_keys({"name", "description"});
      if (const auto description = lora.optional("description")) description->mark_read();
      model.loras.push_back(lora.required("name").as_string());
      check_name(lora.required("name"), model.loras.back());
    }
  });
  fields.text("description", model.description);
  fields.texts("capabilities", model.capabilities);
  for (const char* key : {"param_size", "modality", "tags"}) fields.for_people(key);
}

void describe_provider_model(Fields& fields, CatalogModel& model) {
  fields.text("name", model.name, Presence::kRequired);
  fields.text("reasoning_family", model.reasoning_family);
  fields.text("api_format", model.api_format);
  fields.object("pricing", [&](Fields& pricing) { describe_pricing(pricing, model); });
  for (const char* key : {"provider_model_id", "external_model_ids", "backend_refs", "reliability"}) {
    fields.for_gateway(key);
  }
}

void describe_reasoning_family(Fields& fields, ReasoningFamily& family) {
  using Type = ReasoningFamily::Type;
  static constexpr Choice<Type> kTypes[] = {{"chat_template_kwargs", Type::kChatTemplateKwargs},
                                            {"reasoning_effort", Type::kReasoningEffort},
                                            {"top_level_reasoning_effort", Type::kTopLevelReasoningEffort},
                                            {"thinking", Type::kThinking}};
  fields.choice("type", family.type, kTypes, Presence::kRequired);
  fields.text("parameter", family.parameter);
}

void describe_effort(Fields& fields, std::string_view key, std::string& effort) {
  static constexpr Choice<std::string_view> kEfforts[] = {
      {"none", "none"}, {"minimal", "minimal"}, {"low", "low"}, {"medium", "medium"},
      {"high", "high"}, {"xhigh", "xhigh"},     {"max", "max"}};
  std::string_view value = effort;
  fields.choice(key, value, kEfforts);
  effort = value;
}

Strategy read_strategy(const YamlNode& node) {
  const std::string text = node.as_string();
  if (text == "priority") return Strategy::kPriority;
  if (text == "confidence") return Strategy::kConfidence;
  node.fail("is \"" + text + "\", expected priority or confidence" +
            base::suggestion(text, {"priority", "confidence"}));
}

void read_models(const std::optional<YamlNode>& cards, const std::optional<YamlNode>& providers,
                 ConfigContext& context) {
  Catalog catalog(context);
  if (cards) catalog.read(*cards, describe_card);
  if (!providers) return;
  providers->allow_keys({"defaults", "models"});
  if (const auto defaults = providers->optional("defaults")) read_defaults(*defaults, context);
  if (const auto models = providers->optional("models")) {
    catalog.read(*models, describe_provider_model);
    check_families(*models, context.config.catalog);
    check_currencies(*models, context);
  }
  const auto defaults = providers->optional("defaults");
  const auto model = defaults ? defaults->optional("default_model") : std::nullopt;
  if (model) context.check_model(*model, model->as_string());
}

}  // namespace vsr::routing
