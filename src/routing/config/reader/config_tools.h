// Plugins that say what of a request reaches its model: its tools, and results of tools.
#pragma once

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

void describe_tools(Fields& fields, Plugins& plugins);
void describe_tool_selection(Fields& fields, Plugins& plugins);
void describe_context_compression(Fields& fields, Plugins& plugins);
// What descriptions cannot say. Throw kParse.
void check_tools(const base::YamlNode& configuration, ConfigNotes& notes);
void check_tool_selection(const base::YamlNode& configuration, ConfigNotes& notes);
void check_context_compression(const base::YamlNode& configuration, ConfigNotes& notes);

// `global.integrations.tools`.
void read_tool_nearness(const base::YamlNode& node, ConfigContext& context);

}  // namespace vsr::routing
