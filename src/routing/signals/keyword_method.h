// The ways in which a keyword rule compares its keywords with a text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/signals/keyword_text.h"

namespace vsr::routing {

struct KeywordHits {
  std::vector<uint32_t> matched = {};  // indices of keywords, ascending
  double best = 0;                     // the greatest score of a method that has scores
};

class KeywordMethod {
 public:
  virtual ~KeywordMethod() = default;
  virtual KeywordHits match(KeywordText& text) const = 0;
};

// Some keywords of a rule: folded, distinct, and where the shared matcher has them.
struct FoldedKeywords {
  std::vector<std::string> texts = {};
  std::vector<uint32_t> ids = {};  // in the matcher of the rule's case
};

// All keep what they need of their arguments. `rule` is for options and messages.
std::unique_ptr<const KeywordMethod> make_literal_method(const KeywordRule& rule, const FoldedKeywords& keywords);
std::unique_ptr<const KeywordMethod> make_fuzzy_method(const KeywordRule& rule, const FoldedKeywords& keywords);
std::unique_ptr<const KeywordMethod> make_ngram_method(const KeywordRule& rule, const FoldedKeywords& keywords);
std::unique_ptr<const KeywordMethod> make_bm25_method(const KeywordRule& rule, const FoldedKeywords& keywords);
// Reads the keywords as patterns. Throws as UserPattern does.
std::unique_ptr<const KeywordMethod> make_regex_method(const KeywordRule& rule);

}  // namespace vsr::routing
