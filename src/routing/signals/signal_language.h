// Language signals.
#pragma once

#include <span>

#include "facts/language_detector.h"
#include "routing/config/signal_rules.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// Matches when the rule's language has at least the rule's threshold (0: 0.3) of the text, so that a text in two
// languages may match two rules. Value and confidence are that share.
SignalValue evaluate_language(const LanguageRule& rule, std::span<const facts::LanguageShare> detected);

}  // namespace vsr::routing
