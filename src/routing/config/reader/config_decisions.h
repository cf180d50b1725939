// `routing.decisions` of a config file.
#pragma once

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// Needs models and signals to be read. Throws kParse and kUnsupported.
void read_decisions(const base::YamlNode& list, ConfigContext& context);

// For the schema. Rules, plugins and algorithm are in it by their own definitions.
void describe_decision(Fields& fields, Decision& decision, ConfigContext* context);
void describe_model_ref(Fields& fields, ModelRef& ref);

}  // namespace vsr::routing
