// `plugins` of a decision.
#pragma once

#include <string_view>
#include <vector>

#include "base/yaml.h"
#include "routing/config/context_reads.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// A plugin whose configuration says `enabled: false` is not there; that of the cache switches off the config's cache,
// too. Throws kParse for an unknown type, one given twice and wrong configurations; kUnsupported, or a note, for those
// that vsr knows and does not run.
Plugins read_plugins(const base::YamlNode& list, ConfigContext& context);

struct PluginKind {
  using Describe = void (*)(Fields& fields, Plugins& plugins);
  using Reads = ContextReads (*)(const Plugins& plugins);
  using Check = void (*)(const base::YamlNode& configuration, ConfigNotes& notes);
  PluginKind(std::string_view its_type, std::string_view other_names, Describe its_describe, Reads its_reads,
             Check its_check = nullptr, bool it_guards = false)
      : type(its_type),
        names(other_names),
        describe(its_describe),
        reads(its_reads),
        check(its_check),
        guards(it_guards) {}
  explicit PluginKind(std::string_view its_type, bool it_guards = false) : type(its_type), guards(it_guards) {}

  std::string_view type;
  std::string_view names = {};  // what else the form calls it, separated by spaces
  Describe describe = nullptr;  // the configuration; null: not run by vsr
  Reads reads = nullptr;        // what it reads of a request besides the body; null: not run
  Check check = nullptr;        // throws kParse for what a description cannot say; null: nothing
  // Blocks requests, or protects what comes of them: a request must not go past it because vsr does not run something.
  bool guards = false;
};
const std::vector<PluginKind>& plugin_kinds();

// What a decision's plugins read of a request besides its body.
ContextReads context_reads(const Plugins& plugins);

}  // namespace vsr::routing
