// `routing.modelCards` and `providers` of a config file: what models there are.
#pragma once

#include <optional>

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// Fills the catalog and `defines_models`.
void read_models(const std::optional<base::YamlNode>& cards, const std::optional<base::YamlNode>& providers,
                 ConfigContext& context);

Strategy read_strategy(const base::YamlNode& node);

// For the schema.
void describe_card(Fields& fields, CatalogModel& model);
void describe_provider_model(Fields& fields, CatalogModel& model);
void describe_reasoning_family(Fields& fields, ReasoningFamily& family);

// The values that reasoning_effort takes, wherever it is.
void describe_effort(Fields& fields, std::string_view key, std::string& effort);

}  // namespace vsr::routing
