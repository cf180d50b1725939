#include "routing/cache/pair_check.h"

#include <algorithm>
#include <array>
#include <exception>
#include <optional>
#include <utility>

#include "base/error.h"
#include "routing/signals/signal_classifier.h"

namespace vsr::routing {
namespace {

// What models call it, as canonical_label() writes labels.
constexpr std::array<std::string_view, 5> kSame = {"same", "same question", "duplicate", "paraphrase", "equivalent"};

// A head of one label says it whatever its name.
size_t label_of_same(const inference::TaskAnswer& answer, const std::string& task) {
  if (answer.labels.size() == 1) return 0;
  std::string known;
  for (size_t i = 0; i < answer.labels.size(); ++i) {
    const std::string label = canonical_label(answer.labels[i]);
    if (std::find(kSame.begin(), kSame.end(), label) != kSame.end()) return i;
    known += (known.empty() ? "" : ", ") + answer.labels[i];
  }
  base::fail(base::Status::kInvalidArgument, "task \"", task, "\" has the labels ", known,
             ", expected one called \"same\" to check pairs of questions by");
}

}  // namespace

PairCheck pair_check(const inference::Inference& inference, std::string task, base::CallLimits limits) {
  return [&inference, task = std::move(task), limits = std::move(limits)](std::string_view question,
                                                                          std::span<const std::string_view> cached) {
    std::vector<inference::QuestionPair> pairs;
    for (const std::string_view text : cached) {
      pairs.push_back({question, text});
      pairs.push_back({text, question});
    }
    const inference::TaskAnswer answer = inference.classify_pairs(pairs, task, limits);
    if (answer.error) std::rethrow_exception(answer.error);
    const size_t labels = answer.labels.size(), same = label_of_same(answer, task);
    std::vector<double> probabilities;
    for (size_t i = 0; i < cached.size(); ++i) {
      const float there = answer.scores.at(2 * i * labels + same), back = answer.scores.at((2 * i + 1) * labels + same);
      // What is no number is no yes.
      probabilities.push_back(there >= 0 && back >= 0 ? std::min(there, back) : 0);
    }
    return probabilities;
  };
}

}  // namespace vsr::routing
