// What a signal says of a request.
#pragma once

#include <string>

namespace vsr::routing {

struct SignalValue {
  bool matched = false;
  double confidence = 0;    // 0 .. 1
  double value = 0;         // what was measured, in the signal's own unit: a similarity, a count, tokens, a margin
  std::string detail = {};  // for people: what matched
  bool failed = false;      // `on_error` said this, not the signal
};

}  // namespace vsr::routing
