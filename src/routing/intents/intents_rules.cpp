// How the nearest examples of a text decide on its intent.
#include <algorithm>
#include <cmath>
#include <vector>

#include "routing/intents/intents_state.h"

namespace vsr::routing {
namespace {

// Runner-ups, and the intents that NeighbourRule::kBlend compares, are looked for among at least this many neighbours.
constexpr size_t kLeastNeighbours = 64;

// Compared with some 16,000 examples each, they take a few milliseconds.
constexpr size_t kVectorsPerCheck = 16;

// A vote weighs e^(similarity / kVoteTemperature): with plain similarities many distant examples outvote a near one.
// bench/private_intents.py compares the two.
constexpr double kVoteTemperature = 0.1;

struct Candidate {
  uint32_t owner;
  double rank;   // what intents are ordered by
  float score;   // what is reported and compared with the threshold
  bool counted;  // whether `rank` means anything: a candidate without votes only follows the others
};

// In the order of their nearest examples, so that a stable sort settles ties by nearness.
class Candidates {
 public:
  Candidate& of(const Neighbour& neighbour) {
    const auto same = [&](const Candidate& candidate) { return candidate.owner == neighbour.owner; };
    const auto known = std::find_if(all_.begin(), all_.end(), same);
    if (known != all_.end()) return *known;
    return all_.emplace_back(Candidate{neighbour.owner, 0, neighbour.similarity, false});
  }

  std::vector<Candidate>& all() { return all_; }

 private:
  std::vector<Candidate> all_;
};

double similarity_to_mean(const Intent& intent, const float* vector) {
  if (intent.sum_length == 0) return 0;
  double dot = 0;
  for (size_t d = 0; d < intent.sum.size(); ++d) dot += static_cast<double>(intent.sum[d]) * vector[d];
  return dot / intent.sum_length;
}

void blend(const IntentsState& state, const float* vector, Candidate& candidate) {
  const double mean = similarity_to_mean(state.of_owner(candidate.owner), vector);
  candidate.rank = std::clamp((candidate.score + mean) / 2, -1.0, 1.0);
  candidate.score = static_cast<float>(candidate.rank);
  candidate.counted = true;
}

// The candidates, the winner first.
std::vector<Candidate> ranked(const IntentsState& state, const std::vector<Neighbour>& neighbours, const float* vector,
                              const IntentsOptions& options) {
  Candidates candidates;
  for (size_t i = 0; i < neighbours.size(); ++i) {
    Candidate& candidate = candidates.of(neighbours[i]);
    if (options.rule != NeighbourRule::kVote || i >= options.top_k) continue;
    candidate.rank += std::exp(neighbours[i].similarity / kVoteTemperature);
    candidate.counted = true;
  }
  auto& all = candidates.all();
  if (options.rule == NeighbourRule::kBlend) {
    for (Candidate& candidate : all) blend(state, vector, candidate);
  }
  std::stable_sort(all.begin(), all.end(), [](const Candidate& a, const Candidate& b) {
    return a.counted != b.counted ? a.counted : a.rank > b.rank;
  });
  return std::move(all);
}

Match match_of(const IntentsState& state, const std::vector<Neighbour>& nearest, const float* vector,
               const IntentsOptions& options) {
  Match match;
  const auto candidates = ranked(state, nearest, vector, options);
  if (candidates.empty()) return match;
  const Intent& winner = state.of_owner(candidates[0].owner);
  match.nearest = winner.label;
  match.score = candidates[0].score;
  match.matched = match.score >= winner.threshold.value_or(options.threshold);
  if (candidates.size() < 2) return match;
  match.runner_up = state.of_owner(candidates[1].owner).label;
  match.runner_up_score = candidates[1].score;
  return match;
}

}  // namespace

std::vector<Match> IntentsState::match(std::span<const float> vectors, const IntentsOptions& options,
                                       const base::CallLimits& limits) const {
  std::vector<Match> matches;
  const size_t step = kVectorsPerCheck * index_.dim();
  for (size_t begin = 0; begin < vectors.size(); begin += step) {
    limits.check();
    const auto some = vectors.subspan(begin, std::min(step, vectors.size() - begin));
    const auto nearest = index_.nearest(some, std::max(options.top_k, kLeastNeighbours));
    for (size_t i = 0; i < nearest.size(); ++i) {
      matches.push_back(match_of(*this, nearest[i], some.data() + i * index_.dim(), options));
    }
  }
  return matches;
}

}  // namespace vsr::routing
