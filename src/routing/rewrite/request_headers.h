// What a decision's header_mutation does to the headers of a request, as a list for the gateway to carry out.
#pragma once

#include <string>
#include <vector>

#include "routing/config/router_config.h"
#include "routing/request/context_view.h"

namespace vsr::routing {

struct HeaderChange {
  enum class Kind { kSet, kRemove };
  Kind kind = Kind::kSet;
  std::string name;  // lower case
  std::string value = {};
};

// A header to add is left out when the request has it; one to update is always set; removing comes last and wins. Each
// name is in the list once. Names and values were checked when the config was read.
std::vector<HeaderChange> plan_headers(const HeaderMutationPlugin& plugin, const ContextView& context);

}  // namespace vsr::routing
