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
  std::string_view names = {};  // what else the form calls it, separated by spaces
  // Describes the configuration; null: not run by vsr.
  void (*describe)(Fields& fields, Plugins& plugins) = nullptr;
  // Throws kParse for what a description cannot say; null: nothing.
  void (*check)(const base::YamlNode& configuration, ConfigNotes& notes) = nullptr;
  // Blocks requests, or protects what comes of them: a request must not go past it because vsr does not run something.
  bool guards = false;
};
const std::vector<PluginKind>& plugin_kinds();

}  // namespace vsr::routing
