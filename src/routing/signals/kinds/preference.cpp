// How the sender wants answers to be, by examples.
#include <algorithm>
#include <utility>

#include "routing/signals/kinds/signal_makers.h"

namespace vsr::routing {
namespace {

double nearest(const std::vector<float>& similarities, const std::vector<uint32_t>& examples) {
  double best = -1;
  for (const uint32_t example : examples) best = std::max(best, static_cast<double>(similarities[example]));
  return best;
}

// Matches if its nearest example reaches the threshold and no other preference has a nearer one.
class Preference : public BodySignal {
 public:
  Preference(double threshold, std::vector<uint32_t> own, std::vector<std::vector<uint32_t>> others)
      : threshold_(threshold), own_(std::move(own)), others_(std::move(others)) {}
  void add_needs(RequestReading& reading, ModelNeeds& needs) const override {
    needs.embeddings.push_back(reading.decisive(TextScope::kLastUser));
  }
  SignalValue evaluate(RequestReading& reading) const override {
    const std::vector<float>& similarities = reading.similarities(reading.decisive(TextScope::kLastUser));
    const double similarity = nearest(similarities, own_);
    const bool first = std::none_of(others_.begin(), others_.end(),
                                    [&](const auto& other) { return nearest(similarities, other) > similarity; });
    const bool matched = first && similarity >= threshold_;
    return {.matched = matched,
            .confidence = matched ? std::clamp(similarity, 0.0, 1.0) : 0,
            .value = similarity,
            .detail = first ? "" : "another preference is nearer"};
  }

 private:
  double threshold_;
  std::vector<uint32_t> own_;
  std::vector<std::vector<uint32_t>> others_;
};

std::vector<uint32_t> examples_of(const PreferenceRule& rule, CandidateBank& bank) {
  std::vector<uint32_t> examples = bank.add(rule.examples);
  if (!rule.description.empty()) examples.push_back(bank.add(rule.description));
  return examples;
}

}  // namespace

BoundSignalPointer make_preference(const std::string& name, SignalSources& sources) {
  const PreferenceRule* rule = find_rule(sources.rules().preferences, name);
  if (rule == nullptr) return nullptr;
  std::vector<std::vector<uint32_t>> others;
  for (const PreferenceRule& other : sources.rules().preferences) {
    if (other.name != name) others.push_back(examples_of(other, sources.examples));
  }
  return std::make_unique<Preference>(rule->threshold, examples_of(*rule, sources.examples), std::move(others));
}

}  // namespace vsr::routing
