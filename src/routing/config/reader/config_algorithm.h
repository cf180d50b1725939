// `algorithm` of decisions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// Of a decision that names none: what `global.router.model_selection` says, else static.
Algorithm default_algorithm(const Decision& decision, ConfigContext& context);

// `global.router.model_selection`: the method of decisions that name none, and parameters of those that give none.
void read_model_selection(const base::YamlNode& node, ConfigContext& context);

// Throws kParse for unknown types and keys and for models that there are not, kUnsupported for what is not run.
Algorithm read_algorithm(const base::YamlNode& node, const Decision& decision, ConfigContext& context);

// For the schema.
const std::vector<std::string_view>& algorithm_types();

// A value of the file as JSON: numbers and booleans where they look so and are not in quotes. Counts it as read.
nlohmann::ordered_json to_json(const base::YamlNode& node);

// What a gateway needs to know of the decision besides the model: the candidates, which calls to make of an algorithm
// that makes several, and what of the decision is the gateway's own (`gateway`, JSON or empty). Empty: nothing.
std::string call_plan(const Decision& decision, const ModelCatalog& catalog);

}  // namespace vsr::routing
