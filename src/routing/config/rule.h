// Rule trees of decisions as the config file writes them.
#pragma once

#include <string>
#include <vector>

#include "routing/config/signal_ref.h"

namespace vsr::routing {

struct Rule {
  enum class Kind { kLeaf, kAnd, kOr, kNot };
  Kind kind = Kind::kAnd;           // an AND without children matches with confidence 0
  SignalRef leaf = {};              // of kLeaf only
  std::vector<Rule> children = {};  // NOT has exactly one
};

}  // namespace vsr::routing
