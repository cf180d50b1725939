// `global` and `listeners` of a config file: most of it is the gateway's.
#pragma once

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

// A name that asks for routing, in the place of a model's. Throws kParse where a model is called so.
void add_auto_name(const base::YamlNode& node, ModelCatalog& catalog);

// Names that ask for routing, the strategy where `routing` gives none, and defaults of signals, of the cache and of
// selection. A table says of every key whether it runs, is the gateway's, or has something of vsr's in its place.
// Throws kParse for a key that the table does not have, kUnsupported for services that vsr does not have.
void read_global(const base::YamlNode& global, ConfigContext& context);

}  // namespace vsr::routing
