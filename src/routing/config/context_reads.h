// What a config reads of a request besides its body. Each kind of signal and each plugin declares its part where the
// kind is defined (BoundSignal::reads, PluginKind); ContextView hands out nothing that is not declared, and the
// response cache takes all that is into its key.
#pragma once

#include <set>
#include <string>

namespace vsr::routing {

struct ContextReads {
  bool user = false;
  bool groups = false;
  std::set<std::string> headers = {};   // names in lower case
  std::set<std::string> metadata = {};  // keys of the gateway's own; those of the body are part of the body

  void add(const ContextReads& other) {
    user = user || other.user;
    groups = groups || other.groups;
    headers.insert(other.headers.begin(), other.headers.end());
    metadata.insert(other.metadata.begin(), other.metadata.end());
  }
};

}  // namespace vsr::routing
