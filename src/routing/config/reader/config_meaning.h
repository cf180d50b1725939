// What of a config file decides about requests and their answers.
#pragma once

#include <string>
#include <string_view>

#include "routing/config/router_config.h"

namespace vsr::routing {

// A digest of it, for keys of the response cache: the file's text without comments, layout and the order of keys, and
// without the values that change no answer (listeners, sizes and times of the cache, records, descriptions of
// decisions); and of the knowledge bases' files. `text` was read as `config`.
std::string config_meaning(std::string_view text, const RouterConfig& config);

}  // namespace vsr::routing
