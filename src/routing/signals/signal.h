// What a signal says of a request, and how rules name it.
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

struct SignalValue {
  bool matched = false;
  double confidence = 0;    // 0 .. 1
  double value = 0;         // what was measured, in the signal's own unit: a similarity, a count, tokens, a margin
  std::string detail = {};  // for people: what matched
  bool failed = false;      // `on_error` said this, not the signal
};

}  // namespace vsr::routing
