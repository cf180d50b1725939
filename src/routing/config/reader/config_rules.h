// Rule trees: read, and their leaves resolved to the signals of the file.
#pragma once

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"
#include "routing/config/rule.h"

namespace vsr::routing {

// A leaf {type, name} or a group {operator, conditions}. Leaves get the names that the file's signals have. Throws
// kParse for a leaf that resolves to nothing.
Rule read_rule(const base::YamlNode& node, ConfigContext& context);

// The leaf of a map with "type", "name" and, of classifiers, "label" among its keys.
Rule bind_signal(const base::YamlNode& node, ConfigContext& context);

// Describe the two forms of a node, for the schema.
void describe_leaf(Fields& fields);
void describe_group(Fields& fields);

// `composer` of complexity signals, when all signals are known.
void read_composers(const base::YamlNode& signals, ConfigContext& context);
// Throws kParse for composers and scores that need themselves.
void check_cycles(const base::YamlNode& routing, const ConfigContext& context);

}  // namespace vsr::routing
