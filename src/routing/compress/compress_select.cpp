#include "routing/compress/compress_select.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/checkpoint.h"
#include "base/utf8.h"
#include "routing/compress/token_estimate.h"
#include "text/unicode/unicode.h"

namespace vsr::routing {
namespace {

using base::Span;

// A unit too large for the budget is cut into parts of a quarter of it, so that the best of them can be kept.
constexpr size_t kPartsPerBudget = 4;

// Cuts a word into parts of at most `limit` code points, between grapheme clusters where one ends in time.
template <class Sink>
void cut_word(std::string_view text, base::Span word, size_t limit, Sink&& sink) {
  const std::string_view whole = text.substr(0, word.end);
  // A cluster may be the whole word: only what a part can hold is looked at, or time would be quadratic.
  const size_t window = 4 * limit + 64;
  const auto cluster_end_at = [&](size_t at) { return at + text::grapheme_end(whole.substr(at, window), 0); };
  base::Checkpoint checkpoint(word.begin);
  while (word.begin < word.end) {
    checkpoint(word.begin);
    size_t at = word.begin, cluster_end = 0, next_cluster = cluster_end_at(at);
    for (size_t n = 0; n < limit && at < word.end; ++n) {
      at += base::decode_utf8(whole.substr(at)).size;
      if (at < next_cluster) continue;
      cluster_end = at;
      if (at < word.end && n + 1 < limit) next_cluster = cluster_end_at(at);
    }
    const size_t end = cluster_end > 0 ? cluster_end : at;
    sink(base::Span{word.begin, end});
    word.begin = end;
  }
}

// Cuts a unit between words into parts of at most `limit` tokens.
template <class Sink>
void cut_unit(std::string_view text, const ScoredText& scored, const Unit& unit, size_t limit, Sink&& sink) {
  Unit part{.range = {}, .kind = unit.kind};
  ScoredText::WordWalk walk(scored, unit.first_word);
  WordMark first = walk.mark();
  const auto finish = [&] {
    if (part.range.size() > 0) {
      part.score = scored.excess(first, walk.mark());
      sink(part);
    }
    part.range = {};
    part.tokens = 0;
    first = walk.mark();
  };
  text::Word word;
  for (text::WordReader reader(text, unit.range); reader.next(word);) {
    const size_t tokens = estimated_tokens(word);
    if (part.tokens + tokens > limit) finish();
    if (tokens > limit) {
      const WordMark before = walk.mark();
      walk.step();
      const float score = scored.excess(before, walk.mark());
      cut_word(text, {word.begin, word.end}, limit,
               [&](base::Span piece) { sink({.range = piece, .kind = unit.kind, .tokens = limit, .score = score}); });
    } else {
      if (part.range.size() == 0) part.range.begin = word.begin;
      part.range.end = word.end;
      part.tokens += tokens;
      walk.step();
    }
  }
  finish();
}

// Calls `sink` with all that may be kept: units, and parts of prose that is larger than the budget.
template <class Sink>
void each_within(std::string_view text, const ScoredText& scored, size_t budget, Sink&& sink) {
  scored.each_unit([&](const Unit& unit) {
    if (unit.tokens <= budget) {
      sink(unit);
    } else if (unit.kind == BlockKind::kProse || unit.kind == BlockKind::kHeading) {
      cut_unit(text, scored, unit, std::max<size_t>(budget / kPartsPerBudget, 1), sink);
    }
  });
}

struct Candidate {
  base::Span range;
  size_t tokens;
  float score;
  bool is_protected;

  bool better_than(const Candidate& other) const {
    if (is_protected != other.is_protected) return is_protected;
    return score != other.score ? score > other.score : range.begin < other.range.begin;
  }
};

bool is_better(const Candidate& a, const Candidate& b) { return a.better_than(b); }

// The best units, which are all that a choice within the budget can come to: of those that cost n tokens, no more than
// budget / n.
class Candidates {
 public:
  explicit Candidates(size_t budget) : budget_(budget) {}

  void add(const Candidate& candidate) {
    best_score_ = std::max(best_score_, candidate.score);
    std::vector<Candidate>& same = by_tokens_[candidate.tokens];
    const size_t most = candidate.tokens == 0 ? SIZE_MAX : budget_ / candidate.tokens;
    if (same.size() == most) {  // the worst comes first
      if (most == 0 || !candidate.better_than(same.front())) return;
      std::pop_heap(same.begin(), same.end(), is_better);
      same.back() = candidate;
    } else {
      same.push_back(candidate);
    }
    std::push_heap(same.begin(), same.end(), is_better);
  }

  // From the best to the worst.
  std::vector<Candidate> ranked() {
    std::vector<Candidate> all;
    for (auto& [tokens, same] : by_tokens_) all.insert(all.end(), same.begin(), same.end());
    by_tokens_.clear();
    std::sort(all.begin(), all.end(), is_better);
    return all;
  }

  float best_score() const { return best_score_; }

 private:
  size_t budget_;
  std::map<size_t, std::vector<Candidate>> by_tokens_;
  float best_score_ = std::numeric_limits<float>::lowest();
};

bool only_space(std::string_view text) {
  text::Word word;
  return !text::WordReader(text, {0, text.size()}).next(word);
}

// What to keep, in order of the text.
std::vector<base::Span> choose(std::string_view text, const ScoredText& scored, const Selection& selection,
                               size_t budget) {
  Candidates candidates(budget);
  auto range = selection.protected_ranges.begin();
  each_within(text, scored, budget, [&](const Unit& unit) {
    while (range != selection.protected_ranges.end() && range->second <= unit.range.begin) ++range;
    const bool is_protected = range != selection.protected_ranges.end() && range->first < unit.range.end;
    candidates.add({unit.range, unit.tokens, unit.score, is_protected});
  });
  const float least =
      selection.focus > 0 ? selection.focus * candidates.best_score() : std::numeric_limits<float>::lowest();
  std::vector<base::Span> chosen;
  for (const Candidate& candidate : candidates.ranked()) {
    if (budget == 0) break;
    if (candidate.tokens > budget || (candidate.score < least && !candidate.is_protected)) continue;
    budget -= candidate.tokens;
    chosen.push_back(candidate.range);
  }
  std::sort(chosen.begin(), chosen.end(), [](const base::Span& a, const base::Span& b) { return a.begin < b.begin; });
  return chosen;
}

}  // namespace

std::vector<base::Span> select_units(std::string_view text, const ScoredText& scored, const Selection& selection,
                                     size_t budget) {
  std::vector<base::Span> kept;
  for (const base::Span& range : choose(text, scored, selection, budget)) {
    if (!kept.empty() && only_space(text.substr(kept.back().end, range.begin - kept.back().end))) {
      kept.back().end = range.end;
    } else {
      kept.push_back(range);
    }
  }
  return kept;
}

}  // namespace vsr::routing
