// A JSON Schema (2020-12) of router config files, for editors that complete and check them while they are written. It
// is made from the same descriptions that the reader uses.
#pragma once

#include <string>

namespace vsr::routing {

std::string router_schema();

}  // namespace vsr::routing
