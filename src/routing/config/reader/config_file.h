// Reads router config files. Errors name file, line and column.
#pragma once

#include <string>
#include <string_view>

#include "routing/config/router_config.h"

namespace vsr::routing {

// Reads the canonical v0.3 form with its `vsr:` part. What is written wrongly (unknown keys, names that resolve to
// nothing, wrong types, ranges, patterns that do not compile, the old flat form) is kParse; what is right but not run
// by vsr is kUnsupported, or with `lenient` an entry of `skipped`. A file without `routing.signals` is a fragment: with
// `lenient` its leaves name signals that only `decide` knows. Also throws kNotFound and kIo.
RouterConfig load_router_config(const std::string& path, bool lenient);
RouterConfig parse_router_config(std::string_view text, const std::string& path, bool lenient);

}  // namespace vsr::routing
