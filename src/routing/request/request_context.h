// What the gateway knows of a request besides its body.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace vsr::routing {

// Who asks, and what the gateway knows besides the body.
struct RequestContext {
  std::string user = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::string> headers = {};   // names in lower case
  std::map<std::string, std::string> metadata = {};  // added to the body's own `metadata`, and stronger
};

}  // namespace vsr::routing
