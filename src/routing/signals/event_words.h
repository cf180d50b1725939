// The words by which a rule of events knows one.
#pragma once

#include <vector>

#include "routing/config/signal_rules.h"

namespace vsr::routing {

// One keyword rule for each criterion that the rule gives, without names: words of any case between word boundaries.
std::vector<KeywordRule> event_words(const EventRule& rule);

}  // namespace vsr::routing
