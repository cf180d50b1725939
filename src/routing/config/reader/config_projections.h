// `routing.projections` of a config file.
#pragma once

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// Names the outputs of mappings, so that rules and scores can.
void declare_projections(const base::YamlNode& projections, ConfigContext& context);
// All of it, when every signal has its name. Throws kParse; with `lenient`, outputs of a score that needs a signal that
// is not run are not run either.
void read_projections(const base::YamlNode& projections, ConfigContext& context);

// For the schema.
void describe_partition(Fields& fields, PartitionRule& rule);
void describe_score(Fields& fields, ScoreRule& rule);
void describe_mapping(Fields& fields, MappingRule& rule);

}  // namespace vsr::routing
