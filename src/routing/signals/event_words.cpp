#include "routing/signals/event_words.h"

namespace vsr::routing {

std::vector<KeywordRule> event_words(const EventRule& rule) {
  std::vector<KeywordRule> criteria;
  for (const auto* words : {&rule.event_types, &rule.severities, &rule.action_codes}) {
    if (!words->empty()) criteria.push_back({.name = rule.name, .keywords = *words});
  }
  if (rule.temporal) {
    criteria.push_back(
        {.name = rule.name,
         .keywords = {"urgent", "urgently", "immediate", "immediately", "asap", "deadline", "time-sensitive",
                      "time sensitive", "now", "critical window", "critical-window", "critical_window"}});
  }
  return criteria;
}

}  // namespace vsr::routing
