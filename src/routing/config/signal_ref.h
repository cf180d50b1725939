// How rules name a signal.
#pragma once

#include <string>

namespace vsr::routing {

// A leaf of a rule: a signal's type ("keyword", "domain", ...) and name. Complexity leaves carry the level in the name
// ("needs_reasoning:hard"), classifier leaves the label ("tool-risk:RISKY").
struct SignalRef {
  std::string type;
  std::string name;
  friend bool operator==(const SignalRef&, const SignalRef&) = default;
  std::string key() const { return type + ":" + name; }
};

}  // namespace vsr::routing
