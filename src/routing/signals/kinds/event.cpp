// What a machine reports, by words of its message.
#include <utility>

#include "routing/signals/event_words.h"
#include "routing/signals/kinds/signal_makers.h"

namespace vsr::routing {
namespace {

// Any criterion will do; the confidence is 0.5 and half the share of those that hold, the value their number.
class Event : public BodySignal {
 public:
  Event(std::shared_ptr<const KeywordSignals> all, size_t first, size_t criteria)
      : all_(std::move(all)), first_(first), criteria_(criteria) {}
  SignalValue evaluate(RequestReading& reading) const override {
    const std::vector<SignalValue>& values = reading.keywords(*all_, TextScope::kLastUser);
    SignalValue event;
    for (size_t i = first_; i < first_ + criteria_; ++i) {
      if (!values[i].matched) continue;
      event.value += 1;
      if (!event.detail.empty()) event.detail += ", ";
      event.detail += values[i].detail;
    }
    event.matched = event.value > 0;
    if (event.matched) event.confidence = 0.5 + 0.5 * event.value / static_cast<double>(criteria_);
    return event;
  }

 private:
  std::shared_ptr<const KeywordSignals> all_;
  size_t first_, criteria_;
};

}  // namespace

BoundSignalPointer make_event(const std::string& name, SignalSources& sources) {
  size_t first = sources.rules().keywords.size();
  for (const EventRule& rule : sources.rules().events) {
    const size_t criteria = event_words(rule).size();
    if (rule.name == name) return std::make_unique<Event>(sources.keywords, first, criteria);
    first += criteria;
  }
  return nullptr;
}

}  // namespace vsr::routing
