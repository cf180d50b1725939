// Structure signals: how often something occurs in a text, how dense it is, or in which order.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/signals/keyword_matcher.h"
#include "routing/signals/signal.h"
#include "routing/signals/user_pattern.h"

namespace vsr::routing {

// One rule, compiled. Immutable; any number of threads may evaluate at once.
//
//   count     how often the source occurs; of text_bytes, the text's length in bytes
//   exists    whether it occurs
//   density   occurrences per word, where every character of a script without spaces is a word (words.h)
//   sequence  how many of the sequences occur: their parts in order, none overlapping
//
// Without a predicate, "more than none". Keywords count where they are between word boundaries; of overlapping ones
// only the longest that begins first. Confidence is 1 or 0.
class StructureSignal {
 public:
  // Throws kInvalidArgument naming the rule when the feature and the source do not fit or the source is empty.
  explicit StructureSignal(const StructureRule& rule);

  SignalValue evaluate(std::string_view text) const;

 private:
  void read_keywords();
  void read_sequences();
  double measure(std::string_view text) const;
  size_t count(std::string_view text, size_t words) const;
  size_t count_keywords(std::string_view text) const;
  size_t count_sequences(std::string_view text) const;
  size_t count_matches(std::string_view text, size_t words) const;

  StructureRule rule_;
  std::optional<UserPattern> pattern_;
  std::optional<KeywordMatcher> matcher_;
  std::vector<std::vector<uint32_t>> sequences_;  // of keywords of the matcher
};

}  // namespace vsr::routing
