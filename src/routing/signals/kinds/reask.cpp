// Whether the last user turn says again what those before it said.
#include <algorithm>
#include <numeric>

#include "routing/signals/kinds/signal_makers.h"

namespace vsr::routing {
namespace {

class Reask : public BodySignal {
 public:
  explicit Reask(const ReaskRule& rule) : rule_(rule) {}

  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    const std::vector<TextId> turns = streak(reading);
    // Texts that are the same need no model.
    if (std::all_of(turns.begin(), turns.end(), [&](TextId turn) { return turn == turns.front(); })) return;
    needs.embeddings.insert(needs.embeddings.end(), turns.begin(), turns.end());
  }

  // The value is the least of the similarities, the confidence too.
  SignalValue evaluate(RequestReading& reading) const override {
    const std::vector<TextId> turns = streak(reading);
    if (turns.empty()) return {.detail = "there are fewer user turns"};
    double least = 1;
    for (size_t i = 1; i < turns.size(); ++i) {
      if (turns[i] == turns[0]) continue;
      const std::vector<float>& a = reading.vector(turns[0]);
      const std::vector<float>& b = reading.vector(turns[i]);
      least = std::min(least, std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
    }
    const bool matched = least >= rule_.threshold;
    return {.matched = matched, .confidence = matched ? std::clamp(least, 0.0, 1.0) : 0, .value = least};
  }

 private:
  // The last user turn and the rule's number of turns before it; nothing: there are fewer.
  std::vector<TextId> streak(RequestReading& reading) const {
    std::vector<TextId> turns = reading.turns(TextScope::kUserTurns);
    const auto wanted = static_cast<size_t>(rule_.lookback_turns) + 1;
    if (turns.size() < wanted) return {};
    turns.erase(turns.begin(), turns.end() - static_cast<std::ptrdiff_t>(wanted));
    std::reverse(turns.begin(), turns.end());
    return turns;
  }

  const ReaskRule& rule_;
};

}  // namespace

BoundSignalPointer make_reask(const std::string& name, SignalSources& sources) {
  const ReaskRule* rule = find_rule(sources.rules().reasks, name);
  return rule == nullptr ? nullptr : std::make_unique<Reask>(*rule);
}

}  // namespace vsr::routing
