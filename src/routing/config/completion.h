// A language model that the caller asks for the router.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/call_limits.h"

namespace vsr::routing {

// The text that `model` (a name of the config) completes the prompt with, by the deadline. Called on the thread of the
// request. May throw base::Error.
using Completion =
    std::function<std::string(const std::string& model, const std::string& prompt, const base::CallLimits& limits)>;

}  // namespace vsr::routing
