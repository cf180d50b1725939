// What `vsr route` says of decisions and of config files.
#pragma once

#include <string>

#include "handles.h"
#include "json.h"

namespace vsr::cli {

Json describe(const vsr_router* router);
void print_check(const Json& info);

Json json_of(const vsr_decision* decision);
// A line of where the request goes, then its signals; with `explain` also the rules.
void print_decision(const std::string& request, const vsr_decision* decision, bool explain);

}  // namespace vsr::cli
