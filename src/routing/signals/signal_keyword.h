// Keyword signals: which of a rule's keywords a text contains, by one of five methods.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/signals/keyword_matcher.h"
#include "routing/signals/keyword_method.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// All keyword rules of a config, compiled: a text is folded and read once for the literal keywords of all of them.
// Immutable; any number of threads may evaluate at once.
class KeywordSignals {
 public:
  // Throws kInvalidArgument naming the rule for an empty keyword or a rule without keywords, kParse and kLimit for
  // patterns.
  explicit KeywordSignals(std::span<const KeywordRule> rules);

  size_t size() const { return rules_.size(); }

  // One value per rule, in the order of `which`. `text` is well-formed UTF-8.
  //
  // OR and AND match with confidence 0.5 + 0.5 * matched / all keywords, NOR with 1. The value is how many keywords
  // matched; for bm25 and ngram the best score. `detail` lists what matched.
  std::vector<SignalValue> evaluate(std::string_view text, std::span<const size_t> which) const;
  std::vector<SignalValue> evaluate(std::string_view text) const;  // every rule

 private:
  struct CompiledRule {
    KeywordRule::Operator op;
    bool scored;                        // the method has scores
    std::vector<std::string> keywords;  // as written, without those that fold to an earlier one
    std::unique_ptr<const KeywordMethod> method;
  };
  class Builder;

  explicit KeywordSignals(Builder builder);
  static SignalValue value(const CompiledRule& rule, const KeywordHits& hits);

  std::vector<CompiledRule> rules_;
  KeywordMatcher any_case_;
  KeywordMatcher exact_case_;
};

}  // namespace vsr::routing
