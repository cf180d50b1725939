// How sure it is that a near question's answer fits, from what callers said of earlier ones; and how often it may
// therefore be given. After vCache (arXiv:2502.03771): the probability that a match is right is a logistic function of
// its similarity, learned online; while it is not known well enough, the cache explores (the model answers) so often
// that the share of wrong answers stays below the bound even if the estimate is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace vsr::routing {

struct MatchObservation {
  float similarity = 0;
  bool right = false;
};

// The latest observations of one entry. Thread-safe.
class MatchHistory {
 public:
  void add(MatchObservation observation);
  std::vector<MatchObservation> read() const;

 private:
  mutable std::mutex mutex_;
  std::vector<MatchObservation> latest_;
};

// Observations of all entries. Thread-safe.
class MatchEvidence {
 public:
  MatchEvidence();

  void add(MatchObservation observation);
  // How often, 0 to 1, a match of that similarity may be served so that at most `max_error_rate` of all such lookups
  // get a wrong answer. `own`: what is known of the entry itself, which is among the observations of all.
  double chance_to_serve(float similarity, const std::vector<MatchObservation>& own, double max_error_rate) const;

 private:
  mutable std::mutex mutex_;
  std::vector<double> log_likelihoods_;  // of each curve
  size_t count_ = 0;
};

// Numbers from 0 to 1 that look random and are the same in every run of the same seed. Thread-safe.
double spread_number(uint64_t seed, uint64_t index);

}  // namespace vsr::routing
