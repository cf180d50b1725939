#include "routing/signals/signal_classifier.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "base/error.h"

namespace vsr::routing {
namespace {

constexpr auto kSafeLabels =
    std::to_array<std::string_view>({"benign", "safe", "harmless", "legitimate", "legit", "normal", "clean", "ok",
                                     "no jailbreak", "not jailbreak", "no attack", "non jailbreak", "no injection"});

// Canonical forms of what models call an answer, and what rules call it.
constexpr auto kAnswerNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"sat", "satisfied"},
    {"clarification", "need clarification"},
    {"needs clarification", "need clarification"},
    {"wrong", "wrong answer"},
    {"different", "want different"},
    {"wants different", "want different"},
    {"fact check needed", "needs fact check"},
    {"fact check", "needs fact check"},
    {"need fact check", "needs fact check"},
    {"no fact check", "no fact check needed"},
    {"fact check not needed", "no fact check needed"},
});

void check(const LabelProbabilities& answer, const char* kind, const std::string& rule) {
  if (answer.labels.size() != answer.probabilities.size() || answer.labels.empty()) {
    base::fail(base::Status::kInvalidArgument, kind, " rule \"", rule, "\": ", answer.probabilities.size(),
               " probabilities for ", answer.labels.size(), " labels");
  }
  constexpr float kRounding = 1e-3F;
  for (const float p : answer.probabilities) {
    if (!(p >= 0 && p <= 1 + kRounding)) {  // also for NaN
      base::fail(base::Status::kInvalidArgument, kind, " rule \"", rule, "\": a probability of ", p);
    }
  }
}

std::string joined(std::span<const std::string> labels) {
  std::string text;
  for (const std::string& label : labels) text += (text.empty() ? "" : ", ") + label;
  return text;
}

[[noreturn]] void refuse_labels(const char* kind, const std::string& rule, std::span<const std::string> labels) {
  base::fail(base::Status::kInvalidArgument, kind, " rule \"", rule, "\": the model's labels are ", joined(labels),
             ", expected one for the rule");
}

std::string answer_name(std::string_view label) {
  const std::string name = canonical_label(label);
  for (const auto& [model, rule] : kAnswerNames) {
    if (name == model) return std::string(rule);
  }
  return name;
}

SignalValue of_probability(double probability, double threshold, std::string detail) {
  probability = std::clamp(probability, 0.0, 1.0);
  return {probability >= threshold, probability, probability, std::move(detail)};
}

size_t likeliest(const LabelProbabilities& answer) {
  return static_cast<size_t>(std::max_element(answer.probabilities.begin(), answer.probabilities.end()) -
                             answer.probabilities.begin());
}

size_t find_label(const ClassifierRule& rule, std::string_view label, std::span<const std::string> labels) {
  const std::string wanted = canonical_label(label);
  for (size_t i = 0; i < labels.size(); ++i) {
    if (canonical_label(labels[i]) == wanted) return i;
  }
  base::fail(base::Status::kInvalidArgument, "classifier rule \"", rule.name, "\": label \"", label,
             "\", the model's are ", joined(labels));
}

double sum_of_unsafe(const LabelProbabilities& answer, const std::vector<bool>& unsafe) {
  double total = 0;
  for (size_t i = 0; i < unsafe.size(); ++i) total += unsafe[i] ? answer.probabilities[i] : 0;
  return total;
}

}  // namespace

std::string canonical_label(std::string_view label) {
  std::string name;
  for (const char c : label) {
    const bool separates = c == '_' || c == '-' || c == ' ';
    if (separates && (name.empty() || name.back() == ' ')) continue;
    name.push_back(separates ? ' ' : base::ascii_lower(c));
  }
  if (!name.empty() && name.back() == ' ') name.pop_back();
  return name;
}

SignalValue evaluate_domain(const DomainRule& rule, const LabelProbabilities& answer) {
  check(answer, "domain", rule.name);
  std::vector<std::string> categories;
  for (const std::string& category : rule.categories) categories.push_back(canonical_label(category));
  if (categories.empty()) categories.push_back(canonical_label(rule.name));
  double total = 0;
  bool known = false;
  for (size_t i = 0; i < answer.labels.size(); ++i) {
    const std::string label = canonical_label(answer.labels[i]);
    if (std::find(categories.begin(), categories.end(), label) == categories.end()) continue;
    known = true;
    total += answer.probabilities[i];
  }
  if (!known) refuse_labels("domain", rule.name, answer.labels);
  return of_probability(total, rule.threshold, answer.labels[likeliest(answer)]);
}

SignalValue evaluate_answer(const AnswerRule& rule, const LabelProbabilities& answer) {
  check(answer, "answer", rule.name);
  const std::string wanted = answer_name(rule.name);
  const auto label = std::find_if(answer.labels.begin(), answer.labels.end(),
                                  [&](const std::string& candidate) { return answer_name(candidate) == wanted; });
  if (label == answer.labels.end()) {
    refuse_labels("answer", rule.name, answer.labels);
  }
  const size_t index = static_cast<size_t>(label - answer.labels.begin()), best = likeliest(answer);
  SignalValue result = of_probability(answer.probabilities[index], rule.threshold, answer.labels[best]);
  result.matched = result.matched && index == best;
  return result;
}

SignalValue evaluate_label(const ClassifierRule& rule, const ClassifierRule::Question& question,
                           std::span<const LabelProbabilities> answers, std::span<const std::string> configured) {
  if (answers.empty())
    base::fail(base::Status::kInvalidArgument, "classifier rule \"", rule.name, "\": no text was classified");
  for (const LabelProbabilities& answer : answers) check(answer, "classifier", rule.name);
  const std::span<const std::string> labels = answers.front().labels;
  const size_t label = find_label(rule, question.label, labels);
  const auto by_label = [&](const LabelProbabilities& a, const LabelProbabilities& b) {
    return a.probabilities[label] < b.probabilities[label];
  };
  const auto [least, largest] = std::minmax_element(answers.begin(), answers.end(), by_label);
  const LabelProbabilities& worst = which_unsafe(labels, configured)[label] ? *largest : *least;
  SignalValue value = of_probability(worst.probabilities[label], rule.threshold, labels[likeliest(worst)]);
  if (!question.predicate.empty()) value.matched = question.predicate.holds(value.value);
  return value;
}

std::vector<bool> which_unsafe(std::span<const std::string> labels, std::span<const std::string> configured) {
  std::vector<bool> unsafe;
  for (const std::string& label : labels) {
    const std::string name = canonical_label(label);
    const auto is_label = [&](const std::string& other) { return canonical_label(other) == name; };
    unsafe.push_back(configured.empty() ? std::find(kSafeLabels.begin(), kSafeLabels.end(), name) == kSafeLabels.end()
                                        : std::any_of(configured.begin(), configured.end(), is_label));
  }
  return unsafe;
}

std::vector<bool> unsafe_labels(std::span<const std::string> labels, std::span<const std::string> configured) {
  std::vector<bool> unsafe = which_unsafe(labels, configured);
  const auto unsafe_count = std::count(unsafe.begin(), unsafe.end(), true);
  if (unsafe_count == 0 || unsafe_count == static_cast<ptrdiff_t>(labels.size())) {
    base::fail(base::Status::kInvalidArgument, "jailbreak: of the labels ", joined(labels),
               unsafe_count == 0 ? " none" : " each",
               " is unsafe (hint: name the unsafe ones under unsafe_labels of the task)");
  }
  return unsafe;
}

std::vector<float> mean_of(std::span<const LabelProbabilities> windows) {
  std::vector<double> sum(windows.front().probabilities.size());
  for (const LabelProbabilities& window : windows) {
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += window.probabilities[i];
  }
  std::vector<float> mean;
  for (const double total : sum) mean.push_back(static_cast<float>(total / static_cast<double>(windows.size())));
  return mean;
}

const LabelProbabilities& most_unsafe(std::span<const LabelProbabilities> windows, const std::vector<bool>& unsafe) {
  return *std::max_element(windows.begin(), windows.end(), [&](const auto& a, const auto& b) {
    return sum_of_unsafe(a, unsafe) < sum_of_unsafe(b, unsafe);
  });
}

SignalValue evaluate_jailbreak(const JailbreakRule& rule, std::span<const LabelProbabilities> answers,
                               const std::vector<bool>& unsafe) {
  if (answers.empty()) {
    base::fail(base::Status::kInvalidArgument, "jailbreak rule \"", rule.name, "\": no text was classified");
  }
  double largest = 0;
  for (const LabelProbabilities& answer : answers) {
    check(answer, "jailbreak", rule.name);
    if (unsafe.size() != answer.labels.size()) {
      base::fail(base::Status::kInvalidArgument, "jailbreak rule \"", rule.name, "\": ", answer.labels.size(),
                 " labels, expected ", unsafe.size());
    }
    largest = std::max(largest, sum_of_unsafe(answer, unsafe));
  }
  return of_probability(largest, rule.threshold, {});
}

}  // namespace vsr::routing
