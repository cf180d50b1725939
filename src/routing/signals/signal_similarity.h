// Signals that compare a text's embedding with example texts.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/intents/candidate_bank.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// In this file `similarities` is one row of CandidateBank::similarities(), or several of them, packed: one per text
// that the rule reads. Each class adds its examples to the bank when it is made, is immutable then, and any number of
// threads may evaluate at once. Constructors throw kInvalidArgument naming a rule without examples.

// The cosines with a rule's candidates, aggregated and compared with its threshold:
//   mean  of all candidates
//   max   the nearest candidate's
//   any   the same: if any candidate reaches the threshold, the nearest does
class EmbeddingSignal {
 public:
  EmbeddingSignal(const EmbeddingRule& rule, CandidateBank& bank);
  // Of the text's one row. Confidence is the value, at least 0.
  SignalValue evaluate(std::span<const float> similarities) const;

 private:
  EmbeddingRule rule_;
  std::vector<uint32_t> candidates_;
};

// The nearest hard example's cosine minus the nearest easy one's: "hard" above the threshold, "easy" below its
// negative, else "medium". Whether the rule's composer holds is for the caller to ask.
class ComplexitySignal {
 public:
  enum Level : size_t { kHard, kMedium, kEasy };
  static constexpr std::array<const char*, 3> kLevelNames{"hard", "medium", "easy"};

  ComplexitySignal(const ComplexityRule& rule, CandidateBank& bank);
  // One value per level, of the text's one row; exactly one matches. Each value is the margin; the confidence of hard
  // and easy is the margin's size, that of medium what is missing from it to 1.
  std::array<SignalValue, 3> evaluate(std::span<const float> similarities) const;

 private:
  ComplexityRule rule_;
  std::vector<uint32_t> hard_, easy_;
};

// The nearest jailbreak example's cosine minus the nearest benign one's, the largest over the texts. Without benign
// examples nothing is subtracted. Matches at the threshold; confidence is the value within 0 .. 1.
class ContrastiveSignal {
 public:
  ContrastiveSignal(const JailbreakRule& rule, CandidateBank& bank);
  // Rows of all texts, packed; `n_texts` of them. Throws kInvalidArgument when there is none: nothing read is not
  // clean.
  SignalValue evaluate(std::span<const float> similarities, size_t n_texts) const;

 private:
  JailbreakRule rule_;
  std::vector<uint32_t> jailbreak_, benign_;
};

}  // namespace vsr::routing
