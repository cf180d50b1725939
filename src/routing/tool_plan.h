// What a decision's plugins make of the tools of a request.
#pragma once

#include <optional>
#include <string_view>

#include "routing/rewrite/request_tools.h"
#include "routing/router_parts.h"
#include "routing/signals/request_reading.h"

namespace vsr::routing {

// Whether the plugins compare tools with the question.
bool compares_tools(const Decision& decision);

// Nothing: no plugin speaks of tools. Asks the embedding task where tools are chosen by the question; throws what that
// throws, and what defined_tools() throws.
std::optional<ToolsEdit> plan_tools(const RouterParts& parts, const Decision& decision, std::string_view body,
                                    RequestReading& reading);

}  // namespace vsr::routing
