#include "routing/signals/signal_similarity.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"

namespace vsr::routing {
namespace {

std::vector<uint32_t> add_examples(CandidateBank& bank, std::span<const std::string> texts, const char* kind,
                                   const std::string& rule, const char* what) {
  if (texts.empty()) {
    base::fail(base::Status::kInvalidArgument, kind, " rule \"", rule, "\": no ", what, ", expected at least one");
  }
  return bank.add(texts);
}

float nearest(std::span<const float> similarities, const std::vector<uint32_t>& candidates) {
  float best = -1;
  for (const uint32_t candidate : candidates) best = std::max(best, similarities[candidate]);
  return best;
}

double mean(std::span<const float> similarities, const std::vector<uint32_t>& candidates) {
  double total = 0;
  for (const uint32_t candidate : candidates) total += similarities[candidate];
  return total / static_cast<double>(candidates.size());
}

}  // namespace

EmbeddingSignal::EmbeddingSignal(const EmbeddingRule& rule, CandidateBank& bank)
    : rule_(rule), candidates_(add_examples(bank, rule.candidates, "embedding", rule.name, "candidates")) {}

SignalValue EmbeddingSignal::evaluate(std::span<const float> similarities) const {
  const auto best = std::max_element(candidates_.begin(), candidates_.end(),
                                     [&](uint32_t a, uint32_t b) { return similarities[a] < similarities[b]; });
  SignalValue result;
  result.value = similarities[*best];
  if (rule_.aggregation == EmbeddingRule::Aggregation::kMean) result.value = mean(similarities, candidates_);
  result.matched = result.value >= rule_.threshold;
  result.confidence = std::clamp(result.value, 0.0, 1.0);
  result.detail = rule_.candidates[static_cast<size_t>(best - candidates_.begin())];
  return result;
}

ComplexitySignal::ComplexitySignal(const ComplexityRule& rule, CandidateBank& bank)
    : rule_(rule),
      hard_(add_examples(bank, rule.hard, "complexity", rule.name, "hard candidates")),
      easy_(add_examples(bank, rule.easy, "complexity", rule.name, "easy candidates")) {}

std::array<SignalValue, 3> ComplexitySignal::evaluate(std::span<const float> similarities) const {
  const double margin = static_cast<double>(nearest(similarities, hard_)) - nearest(similarities, easy_);
  Level level = kMedium;
  if (margin > rule_.threshold) level = kHard;
  if (margin < -rule_.threshold) level = kEasy;
  const double size = std::min(1.0, std::abs(margin));
  std::array<SignalValue, 3> values;
  for (SignalValue& value : values) value.value = margin;
  values[level].matched = true;
  values[level].confidence = level == kMedium ? 1 - size : size;
  return values;
}

ContrastiveSignal::ContrastiveSignal(const JailbreakRule& rule, CandidateBank& bank)
    : rule_(rule),
      jailbreak_(add_examples(bank, rule.jailbreak_patterns, "jailbreak", rule.name, "jailbreak_patterns")),
      benign_(bank.add(rule.benign_patterns)) {}

SignalValue ContrastiveSignal::evaluate(std::span<const float> similarities, size_t n_texts) const {
  if (n_texts == 0 || similarities.empty() || similarities.size() % n_texts != 0) {
    base::fail(base::Status::kInvalidArgument, "jailbreak rule \"", rule_.name, "\": ", similarities.size(),
               " similarities of ", n_texts, " texts");
  }
  const size_t row = similarities.size() / n_texts;
  double largest = -2;
  for (size_t i = 0; i < n_texts; ++i) {
    const std::span<const float> of_text = similarities.subspan(i * row, row);
    const double benign = benign_.empty() ? 0 : nearest(of_text, benign_);
    largest = std::max(largest, static_cast<double>(nearest(of_text, jailbreak_)) - benign);
  }
  return {largest >= rule_.threshold, std::clamp(largest, 0.0, 1.0), largest, {}};
}

}  // namespace vsr::routing
