// What can be known of a router before its first request.
#pragma once

#include <string>
#include <vector>

#include "routing/router_parts.h"

namespace vsr::routing {

// Whether the models have the tasks that rules need, as far as that is known without loading one. What is missing is an
// error with the place of the rule; with `lenient`, without any model (an engine may be given another time) and where a
// classifier's `on_error` answers, it is a line of the result.
std::vector<std::string> check_tasks(const RouterParts& parts);

// Loads the models and asks every signal that rules need about a short text, and opens the cache. Throws what a request
// would fail with, with the place of the rule; what `on_error` answers is a line of the result.
std::vector<std::string> validate_models(const RouterParts& parts);

}  // namespace vsr::routing
