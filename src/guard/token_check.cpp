#include "guard/token_check.h"

#include <algorithm>
#include <exception>
#include <string>

#include "base/ascii.h"
#include "base/error.h"
#include "guard/checks/fact_index.h"

namespace vsr::guard {
namespace {

constexpr size_t kMostContext = 4096;  // bytes of facts that are read with a claim

bool says_supported(const std::string& label) {
  const std::string lower = base::ascii_lower(label);
  return lower == "supported" || lower == "support" || lower == "entailment" || lower == "label_0" || lower == "o";
}

std::string context_of(const FactSet& facts, std::string_view question, const OpenClaim& claim) {
  std::string context;
  for (const uint32_t number : claim.units) {
    const std::string& text = facts.index().units()[number].statement.text;
    if (!context.empty() && context.size() + text.size() > kMostContext) break;
    (context += text) += '\n';
  }
  return context += question;
}

}  // namespace

std::vector<UnsupportedSpan> ask_tokens(const FactSet& facts, std::string_view question,
                                        const std::vector<OpenClaim>& claims, const base::CallLimits& limits) {
  std::vector<UnsupportedSpan> spans;
  if (claims.empty()) return spans;
  std::vector<std::string> contexts;
  for (const OpenClaim& claim : claims) contexts.push_back(context_of(facts, question, claim));
  std::vector<inference::QuestionPair> pairs;
  for (size_t i = 0; i < claims.size(); ++i) pairs.push_back({contexts[i], claims[i].text});
  const auto answer = facts.models()->entities_of_pairs(pairs, facts.tasks().tokens, limits);
  if (answer.error) std::rethrow_exception(answer.error);
  if (answer.entities.size() != claims.size()) {
    base::fail(base::Status::kInternal, "task \"", facts.tasks().tokens, "\": ", answer.entities.size(),
               " answers, expected ", claims.size());
  }
  for (size_t i = 0; i < claims.size(); ++i) {
    const int32_t fact =
        claims[i].units.empty() ? -1 : static_cast<int32_t>(facts.index().units()[claims[i].units[0]].fact);
    for (const inference::ModelEntity& entity : answer.entities[i]) {
      const size_t end = std::min(entity.end, claims[i].text.size());
      if (entity.begin >= end || says_supported(entity.label)) continue;
      spans.push_back({claims[i].claim, entity.begin, end, static_cast<float>(entity.score), fact});
    }
  }
  return spans;
}

}  // namespace vsr::guard
