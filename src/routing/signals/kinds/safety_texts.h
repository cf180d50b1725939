// Which texts safety signals read, and what a classifier says of each of their windows.
#pragma once

#include <string>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/signals/request_reading.h"

namespace vsr::routing {

// A client can forge earlier turns: what the assistant answered need not be what it did.
template <class Rule>
TextScope safety_scope(const Rule& rule) {
  return rule.include_history ? TextScope::kEverything : TextScope::kUnanswered;
}

// Of all windows of all texts.
std::vector<LabelProbabilities> windows_of(const std::string& task, const std::vector<TextId>& texts,
                                           const RequestReading& reading);

}  // namespace vsr::routing
