#include "routing/decision/derived_signals.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vsr::routing {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool surely_holds(const NumericPredicate& band, Bounds score) { return band.holds(score.lo) && band.holds(score.hi); }

bool never_holds(const NumericPredicate& band, Bounds score) {
  return (band.gt && score.hi <= *band.gt) || (band.gte && score.hi < *band.gte) || (band.lt && score.lo >= *band.lt) ||
         (band.lte && score.lo > *band.lte);
}

double distance_to_bound(const NumericPredicate& band, double score) {
  double nearest = kInfinity;
  for (const auto& bound : {band.gt, band.gte, band.lt, band.lte}) {
    if (bound) nearest = std::min(nearest, std::abs(score - *bound));
  }
  return nearest == kInfinity ? 1 : nearest;
}

}  // namespace

void DerivedPartition::settle(std::span<Signal> values) const {
  int64_t winner = -1;
  size_t matched = 0;
  for (const uint32_t member : members) {
    if (!values[member].matched) continue;
    ++matched;
    if (winner < 0 || values[member].confidence > values[static_cast<size_t>(winner)].confidence) winner = member;
  }
  if (winner < 0) {
    values[fallback].matched = true;
    values[fallback].confidence = 1;
    return;
  }
  if (matched == 1) return;
  Signal& best = values[static_cast<size_t>(winner)];
  double sum = 0;
  for (const uint32_t member : members) {
    if (values[member].matched) sum += std::exp((values[member].confidence - best.confidence) / temperature);
  }
  for (const uint32_t member : members) {
    if (member != static_cast<uint32_t>(winner)) values[member] = {false, 0, values[member].value};
  }
  if (softmax) best.confidence = 1 / sum;
}

double DerivedScore::Input::of(const Signal& signal) const {
  switch (source) {
    case ScoreRule::Source::kBinary:
      return weight * (signal.matched ? match : miss);
    case ScoreRule::Source::kConfidence:
      return weight * (signal.matched ? signal.confidence : 0);
    case ScoreRule::Source::kValue:
      break;
  }
  return weight * signal.value;
}

Bounds DerivedScore::Input::of(const SignalState& state, Bounds value) const {
  Bounds bounds = value;
  switch (source) {
    case ScoreRule::Source::kBinary:
      bounds = {std::min(match, miss), std::max(match, miss)};
      if (state.truth == Truth::kTrue) bounds = {match, match};
      if (state.truth == Truth::kFalse) bounds = {miss, miss};
      break;
    case ScoreRule::Source::kConfidence:
      bounds = state.bounds;
      if (state.truth == Truth::kUnknown) bounds.lo = 0;
      if (state.truth == Truth::kFalse) bounds = {0, 0};
      break;
    case ScoreRule::Source::kValue:
      break;
  }
  if (weight == 0) return {0, 0};
  if (weight < 0) std::swap(bounds.lo, bounds.hi);
  return {weight * bounds.lo, weight * bounds.hi};
}

Signal DerivedMapping::output(size_t index, double value) const {
  const NumericPredicate& band = outputs[index].band;
  bool matched = band.holds(value);
  for (size_t i = 0; i < index && matched && !all; ++i) matched = !outputs[i].band.holds(value);
  if (!matched) return {false, 0, value};
  return {true, 1 / (1 + std::exp(-slope * distance_to_bound(band, value))), value};
}

SignalState DerivedMapping::output(size_t index, Bounds bounds) const {
  if (bounds.exact()) {
    const Signal signal = output(index, bounds.lo);
    if (!signal.matched) return {Truth::kFalse, {0, 0}};
    return {Truth::kTrue, {signal.confidence, signal.confidence}};
  }
  const NumericPredicate& band = outputs[index].band;
  bool sure = surely_holds(band, bounds);
  bool never = never_holds(band, bounds);
  for (size_t i = 0; i < index && !all; ++i) {
    never = never || surely_holds(outputs[i].band, bounds);
    sure = sure && never_holds(outputs[i].band, bounds);
  }
  if (never) return {Truth::kFalse, {0, 0}};
  return {sure ? Truth::kTrue : Truth::kUnknown, {0.5, 1}};
}

}  // namespace vsr::routing
