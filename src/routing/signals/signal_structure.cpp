#include "routing/signals/signal_structure.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/checkpoint.h"
#include "base/error.h"
#include "facts/fold.h"
#include "facts/words.h"

namespace vsr::routing {
namespace {

using Feature = StructureRule::Feature;
using Source = StructureRule::Source;

// Matches of patterns are counted this far even where the predicate is decided, unless that takes long.
constexpr size_t kCountedAnyway = 1000;

[[noreturn]] void refuse(const StructureRule& rule, const std::string& what) {
  base::fail(base::Status::kInvalidArgument, "structure rule \"", rule.name, "\": ", what);
}

// Folded texts, each once, with their indices.
class TextTable {
 public:
  TextTable(const StructureRule& rule, std::vector<std::string>& texts) : rule_(rule), texts_(texts) {}
  uint32_t id(const std::string& written) {
    std::string text = facts::fold(written, rule_.case_sensitive);
    if (text.empty()) refuse(rule_, "\"" + written + "\" is blank");
    const auto [entry, added] = ids_.try_emplace(text, static_cast<uint32_t>(texts_.size()));
    if (added) texts_.push_back(std::move(text));
    return entry->second;
  }

 private:
  const StructureRule& rule_;
  std::vector<std::string>& texts_;
  std::unordered_map<std::string, uint32_t> ids_;
};

double greatest_bound(const NumericPredicate& predicate) {
  double bound = 0;
  for (const std::optional<double>& limit : {predicate.gt, predicate.gte, predicate.lt, predicate.lte}) {
    if (limit) bound = std::max(bound, *limit);
  }
  return bound;
}

}  // namespace

StructureSignal::StructureSignal(const StructureRule& rule) : rule_(rule) {
  if ((rule.feature == Feature::kSequence) != (rule.source == Source::kSequence)) {
    refuse(rule, "feature and source do not fit, expected both to be a sequence or neither");
  }
  if (rule.source == Source::kTextBytes && rule.feature == Feature::kDensity) {
    refuse(rule, "the density of text_bytes, expected its count");
  }
  if (rule.source == Source::kRegex) {
    if (rule.pattern.empty()) refuse(rule, "an empty pattern");
    pattern_.emplace(rule.pattern, rule.case_sensitive, "structure rule \"" + rule.name + "\"");
  } else if (rule.source == Source::kKeywordSet) {
    read_keywords();
  } else if (rule.source == Source::kSequence) {
    read_sequences();
  }
}

void StructureSignal::read_keywords() {
  if (rule_.keywords.empty()) refuse(rule_, "no keywords, expected at least one");
  std::vector<std::string> texts;
  TextTable table(rule_, texts);
  for (const std::string& keyword : rule_.keywords) table.id(keyword);
  matcher_.emplace(texts);
}

void StructureSignal::read_sequences() {
  if (rule_.sequences.empty()) refuse(rule_, "no sequences, expected at least one");
  std::vector<std::string> texts;
  TextTable table(rule_, texts);
  for (const std::vector<std::string>& sequence : rule_.sequences) {
    if (sequence.empty()) refuse(rule_, "an empty sequence");
    for (const std::string& part : sequence) {
      if (&part == &sequence.front()) sequences_.emplace_back();
      sequences_.back().push_back(table.id(part));
    }
  }
  matcher_.emplace(texts);
}

SignalValue StructureSignal::evaluate(std::string_view text) const {
  SignalValue result;
  // Keywords and the words around them are those of the folded text.
  result.value = matcher_ ? measure(facts::fold(text, rule_.case_sensitive)) : measure(text);
  result.matched = rule_.predicate.empty() ? result.value > 0 : rule_.predicate.holds(result.value);
  result.confidence = result.matched ? 1 : 0;
  return result;
}

double StructureSignal::measure(std::string_view text) const {
  if (rule_.feature != Feature::kDensity) {
    const double found = static_cast<double>(count(text, 1));
    return rule_.feature == Feature::kExists ? std::min(found, 1.0) : found;
  }
  const size_t words = facts::count_words(text);
  return words == 0 ? 0 : static_cast<double>(count(text, words)) / static_cast<double>(words);
}

size_t StructureSignal::count(std::string_view text, size_t words) const {
  switch (rule_.source) {
    case Source::kTextBytes:
      return text.size();
    case Source::kKeywordSet:
      return count_keywords(text);
    case Source::kSequence:
      return count_sequences(text);
    default:
      return count_matches(text, words);
  }
}

size_t StructureSignal::count_matches(std::string_view text, size_t words) const {
  if (rule_.feature == Feature::kExists) return pattern_->count(text, 1, 1);
  // Beyond this many the predicate cannot change any more.
  const double decided = greatest_bound(rule_.predicate) * static_cast<double>(words) + 2;
  constexpr double kMost = 1e12;
  const auto enough = static_cast<size_t>(std::min(std::ceil(decided), kMost));
  return pattern_->count(text, enough, std::max(kCountedAnyway, enough));
}

namespace {

// Counts matches that do not overlap: of those that do, the one that begins first, and of several there the longest.
class MatchCounter {
 public:
  explicit MatchCounter(size_t longest) : longest_(longest) {}

  // In the order of their ends.
  void add(const KeywordMatch& match) {
    pending_.push_back(match);
    if (pending_.size() < most_pending_) return;
    settle(match.end - std::min(match.end, longest_));
    most_pending_ = std::max(kLeastPending, 2 * pending_.size());
  }
  size_t finish() {
    settle(SIZE_MAX);
    return count_;
  }

 private:
  static constexpr size_t kLeastPending = 4096;

  // No match that begins before `begin` is still to come.
  void settle(size_t begin) {
    std::sort(pending_.begin(), pending_.end(), [](const KeywordMatch& a, const KeywordMatch& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    size_t settled = 0;
    for (; settled < pending_.size() && pending_[settled].begin < begin; ++settled) {
      const KeywordMatch& match = pending_[settled];
      if (match.begin < free_from_) continue;
      ++count_;
      free_from_ = match.end;
    }
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<ptrdiff_t>(settled));
  }

  size_t longest_;
  std::vector<KeywordMatch> pending_;
  size_t most_pending_ = kLeastPending;
  size_t count_ = 0;
  size_t free_from_ = 0;
};

}  // namespace

size_t StructureSignal::count_keywords(std::string_view text) const {
  MatchCounter counter(matcher_->longest());
  matcher_->find(text, [&](const KeywordMatch& match) { counter.add(match); });
  return counter.finish();
}

size_t StructureSignal::count_sequences(std::string_view text) const {
  // Matches come in the order of their ends, so taking the first that fits is always best.
  struct Progress {
    size_t parts = 0;
    size_t end = 0;
  };
  std::vector<Progress> progress(sequences_.size());
  size_t complete = 0;
  base::Checkpoint work;
  matcher_->find(text, [&](const KeywordMatch& match) {
    work.add(sequences_.size());
    for (size_t i = 0; i < sequences_.size(); ++i) {
      Progress& reached = progress[i];
      if (reached.parts == sequences_[i].size() || sequences_[i][reached.parts] != match.keyword) continue;
      if (match.begin < reached.end) continue;
      ++reached.parts;
      reached.end = match.end;
      if (reached.parts == sequences_[i].size()) ++complete;
    }
  });
  return complete;
}

}  // namespace vsr::routing
