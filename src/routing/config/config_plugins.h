// `plugins` of a decision.
#pragma once

#include <string_view>
#include <vector>

#include "base/yaml.h"
#include "routing/config/config_names.h"

namespace vsr::routing {

// A plugin whose configuration says `enabled: false` is not there. Throws kParse for an unknown type, one given twice
// and wrong configurations; kUnsupported, or a note, for those that vsr knows and does not run.
Plugins read_plugins(const base::YamlNode& list, ConfigContext& context);

struct PluginKind {
  std::string_view type;
  std::string_view names;  // what else the form calls it, separated by spaces
  // Describes the configuration; null: not run by vsr.
  void (*describe)(Fields& fields, Plugins& plugins) = nullptr;
};
const std::vector<PluginKind>& plugin_kinds();

}  // namespace vsr::routing
