#include "routing/cache/match_evidence.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace vsr::routing {
namespace {

// A curve says: the log-odds of a match being right are `at_one` at similarity 1 and fall by `slope` to similarity 0.
// Before anything was seen, all are equally likely.
struct Curve {
  double at_one, slope;
  double right(float similarity) const { return 1 / (1 + std::exp(-at_one - slope * (similarity - 1.0))); }
};
const std::vector<Curve>& curves() {
  static const std::vector<Curve> all = [] {
    std::vector<Curve> made;
    for (double at_one = -4; at_one <= 9; at_one += 0.5) {
      for (const double slope : {0., 5., 10., 20., 40., 80.}) made.push_back({at_one, slope});
    }
    return made;
  }();
  return all;
}

double log_likelihood(const Curve& curve, const MatchObservation& observation) {
  const double right = curve.right(observation.similarity);
  return std::log(observation.right ? right : 1 - right);
}

// How sure an estimate may be asked to be; the one that allows most is taken.
constexpr double kDoubts[] = {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5};
// The bound is aimed at with this much to spare, for chance.
constexpr double kShare = 0.8;
// An entry that was wrong before counts less on the others: as on this many observations.
constexpr double kPooled = 32;
constexpr size_t kLatest = 64;

// The value below which a curve's prediction lies with probability `doubt`.
double pessimistic(const std::vector<std::pair<double, double>>& predictions, double doubt) {
  double mass = 0;
  for (const auto& [right, weight] : predictions) {
    mass += weight;
    if (mass > doubt) return right;
  }
  return predictions.back().first;
}

}  // namespace

void MatchHistory::add(MatchObservation observation) {
  const std::lock_guard lock(mutex_);
  if (latest_.size() == kLatest) latest_.erase(latest_.begin());
  latest_.push_back(observation);
}

std::vector<MatchObservation> MatchHistory::read() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

MatchEvidence::MatchEvidence() : log_likelihoods_(curves().size(), 0.0) {}

void MatchEvidence::add(MatchObservation observation) {
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < curves().size(); ++i) log_likelihoods_[i] += log_likelihood(curves()[i], observation);
  ++count_;
}

double MatchEvidence::chance_to_serve(float similarity, const std::vector<MatchObservation>& own,
                                      double max_error_rate) const {
  std::vector<double> logs;
  size_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    logs = log_likelihoods_;
    count = count_;
  }
  if (std::any_of(own.begin(), own.end(), [](const MatchObservation& o) { return !o.right; })) {
    const double scale = std::min(1.0, kPooled / static_cast<double>(std::max<size_t>(count, 1)));
    for (size_t i = 0; i < logs.size(); ++i) {
      logs[i] *= scale;
      for (const MatchObservation& observation : own) logs[i] += log_likelihood(curves()[i], observation);
    }
  }
  const double top = *std::max_element(logs.begin(), logs.end());
  std::vector<std::pair<double, double>> predictions;  // probability of being right, weight
  double total = 0;
  for (size_t i = 0; i < logs.size(); ++i) {
    predictions.emplace_back(curves()[i].right(similarity), std::exp(logs[i] - top));
    total += predictions.back().second;
  }
  for (auto& prediction : predictions) prediction.second /= total;
  std::sort(predictions.begin(), predictions.end());
  double chance = 0;
  for (const double doubt : kDoubts) {
    // With probability 1 - doubt the match is right at least so often; else it may never be.
    const double wrong = 1 - (1 - doubt) * pessimistic(predictions, doubt);
    chance = std::max(chance, std::min(1.0, kShare * max_error_rate / wrong));
  }
  return chance;
}

double spread_number(uint64_t seed, uint64_t index) {
  // SplitMix64.
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return static_cast<double>((z ^ z >> 31) >> 11) * 0x1.0p-53;
}

}  // namespace vsr::routing
