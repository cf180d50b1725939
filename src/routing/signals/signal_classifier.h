// Signals read off the label probabilities of classifiers: domains, answers, jailbreaks, labels by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// A classifier's labels, and its probabilities for one text in the same order. Borrowed. Functions here throw
// kInvalidArgument when the two differ in number or a probability is not within 0 .. 1: a broken answer is no answer.
struct LabelProbabilities {
  std::span<const std::string> labels;
  std::span<const float> probabilities;
};

// Labels compare by this form: lower case, with spaces for `_` and `-` ("Computer_Science" is "computer science").
std::string canonical_label(std::string_view label);

// The probability that the text belongs to one of the rule's categories, which exclude each other and so add up. A
// model that has none of them: kInvalidArgument.
SignalValue evaluate_domain(const DomainRule& rule, const LabelProbabilities& answer);

// Whether the likeliest label is the rule's and reaches its threshold. Models name these labels in several ways: "SAT"
// is "satisfied", "FACT_CHECK_NEEDED" is "needs_fact_check", and so on. A model that has no such label:
// kInvalidArgument.
SignalValue evaluate_answer(const AnswerRule& rule, const LabelProbabilities& answer);

// Whether the question's label of the rule's classifier reaches the rule's threshold, or holds for the question's own
// predicate. Of several answers, one for each window of each text, the worst counts: of an unsafe label the largest
// probability, of a safe one the least, so that no text that is added hides another. `configured`: as of
// which_unsafe().
SignalValue evaluate_label(const ClassifierRule& rule, const ClassifierRule::Question& question,
                           std::span<const LabelProbabilities> answers, std::span<const std::string> configured);

// Which labels of a classifier are unsafe. `configured`: the task's own list, which decides when it is not empty.
// Otherwise every label but those known as safe ("benign", "safe", ...): a label that nobody knows is unsafe. Whole
// labels count, since "unsafe" contains "safe".
std::vector<bool> which_unsafe(std::span<const std::string> labels, std::span<const std::string> configured);
// The same of a jailbreak classifier. Throws kInvalidArgument when no label is safe or none is unsafe.
std::vector<bool> unsafe_labels(std::span<const std::string> labels, std::span<const std::string> configured);

// How several windows become one answer; `windows` is not empty.
std::vector<float> mean_of(std::span<const LabelProbabilities> windows);
const LabelProbabilities& most_unsafe(std::span<const LabelProbabilities> windows, const std::vector<bool>& unsafe);

// The probability of the unsafe labels together, the largest over texts or windows. Throws kInvalidArgument for no text
// at all.
SignalValue evaluate_jailbreak(const JailbreakRule& rule, std::span<const LabelProbabilities> answers,
                               const std::vector<bool>& unsafe);

}  // namespace vsr::routing
