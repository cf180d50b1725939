// What every template can call.
#pragma once

#include <optional>
#include <string>

#include "chat/jinja_value.h"

namespace vsr::chat::jinja {

// The function of a name. Throws kUnsupported for one that Jinja has and vsr does not run.
std::optional<Value> global(const std::string& name);

}  // namespace vsr::chat::jinja
