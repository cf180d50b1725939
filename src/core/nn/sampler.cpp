#include "core/nn/sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace vsr::core {
namespace {

using base::fail;
using base::Status;

constexpr float kDropped = -std::numeric_limits<float>::infinity();

// Ties with the last token that stays all stay.
void keep_top_k(std::vector<float>& scores, size_t k) {
  if (k >= scores.size()) return;
  std::vector<float> sorted = scores;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(k - 1), sorted.end(), std::greater<>());
  const float least = sorted[k - 1];
  for (float& score : scores) score = score < least ? kDropped : score;
}

std::vector<float> softmax(const std::vector<float>& scores) {
  const float largest = *std::max_element(scores.begin(), scores.end());
  std::vector<float> probs(scores.size());
  double sum = 0;
  for (size_t i = 0; i < scores.size(); ++i) sum += probs[i] = std::exp(scores[i] - largest);
  for (float& prob : probs) prob = static_cast<float>(prob / sum);
  return probs;
}

// Drops the least likely tokens as long as those dropped have no more than 1 - p together; one always stays.
void keep_top_p(std::vector<float>& scores, float p) {
  const std::vector<float> probs = softmax(scores);
  std::vector<size_t> order(scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return scores[a] < scores[b]; });
  const auto most = static_cast<float>(1.0 - static_cast<double>(p));
  double dropped = 0;
  for (size_t i = 0; i + 1 < order.size(); ++i) {
    dropped += probs[order[i]];
    if (static_cast<float>(dropped) > most) return;
    scores[order[i]] = kDropped;
  }
}

}  // namespace

void check(const SamplerOptions& options) {
  // Written so that NaN fails.
  if (!(options.temperature >= 0) || std::isinf(options.temperature)) {
    fail(Status::kInvalidArgument, "temperature is ", options.temperature, ", expected 0 (greedy) or more");
  }
  if (options.top_k < 0)
    fail(Status::kInvalidArgument, "top_k is ", options.top_k, ", expected 1 or more, or 0 for all");
  if (!(options.top_p > 0 && options.top_p <= 1)) {
    fail(Status::kInvalidArgument, "top_p is ", options.top_p, ", expected above 0 and at most 1");
  }
  if (options.temperature == 0 && (options.top_k != 0 || options.top_p != 1)) {
    fail(Status::kInvalidArgument, "top_k and top_p need a temperature above 0, without one the most likely token is ",
         "taken");
  }
}

int32_t most_likely(std::span<const float> logits) {
  return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

std::vector<float> sampling_probabilities(std::span<const float> logits, const SamplerOptions& options) {
  std::vector<float> scores(logits.begin(), logits.end());
  for (float& score : scores) score /= options.temperature;
  if (options.top_k > 0) keep_top_k(scores, static_cast<size_t>(options.top_k));
  if (options.top_p < 1) keep_top_p(scores, options.top_p);
  return softmax(scores);
}

double Random::next() {
  state_ += 0x9E3779B97F4A7C15;
  uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  mixed ^= mixed >> 31;
  return static_cast<double>(mixed >> 11) * 0x1p-53;
}

Sampler::Sampler(const SamplerOptions& options) : options_(options), random_(options.seed) { check(options); }

int32_t Sampler::choose(std::span<const float> logits) {
  if (options_.temperature == 0) return most_likely(logits);
  const std::vector<float> probs = sampling_probabilities(logits, options_);
  const double drawn = random_.next();
  double sum = 0;
  size_t last = 0;  // rounding may leave the sum just below 1
  for (size_t i = 0; i < probs.size(); ++i) {
    if (probs[i] == 0) continue;
    last = i;
    sum += probs[i];
    if (sum > drawn) break;
  }
  return static_cast<int32_t>(last);
}

}  // namespace vsr::core
