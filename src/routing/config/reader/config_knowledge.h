// `global.model_catalog.kbs` and `modules.modality_detector` of a config file.
#pragma once

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// Manifests are read when a router is made, not here; their places are those of the config file's folder.
void read_knowledge_bases(const base::YamlNode& list, ConfigContext& context);
void read_modality_detector(const base::YamlNode& node, ConfigContext& context);

}  // namespace vsr::routing
