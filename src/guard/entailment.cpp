#include "guard/entailment.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/error.h"
#include "guard/checks/fact_index.h"

namespace vsr::guard {
namespace {

// The label that means so; labels.size() where none does.
size_t label_of(const std::vector<std::string>& labels, std::initializer_list<std::string_view> names) {
  for (size_t i = 0; i < labels.size(); ++i) {
    const std::string lower = base::ascii_lower(labels[i]);
    if (std::find(names.begin(), names.end(), lower) != names.end()) return i;
  }
  return labels.size();
}

}  // namespace

std::vector<Entailment> ask_entailment(const FactSet& facts, const std::vector<OpenClaim>& claims,
                                       const base::CallLimits& limits) {
  std::vector<inference::QuestionPair> pairs;
  std::vector<std::pair<size_t, int32_t>> of;  // claim, fact
  for (size_t i = 0; i < claims.size(); ++i) {
    for (const uint32_t number : claims[i].units) {
      const FactUnit& unit = facts.index().units()[number];
      pairs.push_back({unit.statement.text, claims[i].text});
      of.emplace_back(i, static_cast<int32_t>(unit.fact));
    }
  }
  std::vector<Entailment> results(claims.size());
  for (size_t i = 0; i < claims.size(); ++i) results[i].claim = claims[i].claim;
  if (pairs.empty()) return results;
  const auto answer = facts.models()->classify_pairs(pairs, facts.tasks().nli, limits);
  if (answer.error) std::rethrow_exception(answer.error);
  const size_t labels = answer.labels.size();
  const size_t support = label_of(answer.labels, {"entailment", "supported", "entailed", "support", "supports"});
  const size_t contradiction = label_of(
      answer.labels, {"contradiction", "contradicted", "refuted", "refutes", "not_entailment", "not entailment"});
  if (support == labels) {
    base::fail(base::Status::kUnsupported, "task \"", facts.tasks().nli, "\": no label \"entailment\"");
  }
  size_t row = 0;
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const size_t windows = answer.windows.empty() ? 1 : answer.windows[pair];
    Entailment& result = results[of[pair].first];
    for (size_t w = 0; w < windows; ++w, ++row) {
      if ((row + 1) * labels > answer.scores.size())
        base::fail(base::Status::kInternal, "task \"", facts.tasks().nli, "\": too few scores");
      const float* scores = answer.scores.data() + row * labels;
      if (scores[support] > result.support) {
        result.support = scores[support];
        result.supporting = of[pair].second;
      }
      if (contradiction < labels && scores[contradiction] > result.contradiction) {
        result.contradiction = scores[contradiction];
        result.contradicting = of[pair].second;
      }
    }
  }
  return results;
}

}  // namespace vsr::guard
