#include "routing/compress/compress_select.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/utf8.h"
#include "routing/compress/compress_tokens.h"
#include "text/unicode/unicode.h"

namespace vsr::routing {
namespace {

using text::ByteRange;

// A unit too large for the budget is cut into parts of a quarter of it, so that the best of them can be kept.
constexpr size_t kPartsPerBudget = 4;

// Cuts a word into parts of at most `limit` code points, between grapheme clusters where one ends in time.
void cut_word(std::string_view text, ByteRange word, size_t limit, std::vector<ByteRange>& parts) {
  const std::string_view whole = text.substr(0, word.end);
  // A cluster may be the whole word: only what a part can hold is looked at, or time would be quadratic.
  const size_t window = 4 * limit + 64;
  const auto cluster_end_at = [&](size_t at) { return at + text::grapheme_end(whole.substr(at, window), 0); };
  while (word.begin < word.end) {
    size_t at = word.begin, cluster_end = 0, next_cluster = cluster_end_at(at);
    for (size_t n = 0; n < limit && at < word.end; ++n) {
      at += base::decode_utf8(whole.substr(at)).size;
      if (at < next_cluster) continue;
      cluster_end = at;
      if (at < word.end && n + 1 < limit) next_cluster = cluster_end_at(at);
    }
    const size_t end = cluster_end > 0 ? cluster_end : at;
    parts.push_back({word.begin, end});
    word.begin = end;
  }
}

// Cuts a unit between words into parts of at most `limit` tokens.
void cut_unit(std::string_view text, const ScoredText& scored, const Unit& unit, size_t limit, std::vector<Unit>& out) {
  Unit part{.range = {}, .kind = unit.kind, .first_word = unit.first_word, .last_word = unit.first_word};
  const auto finish = [&] {
    if (part.range.size() > 0) {
      part.score = scored.excess(part.first_word, part.last_word);
      out.push_back(part);
    }
    part.range = {};
    part.tokens = 0;
    part.first_word = part.last_word;
  };
  std::vector<ByteRange> pieces;
  text::Word word;
  for (text::WordReader reader(text, unit.range); reader.next(word);) {
    const size_t tokens = estimated_tokens(word);
    const size_t last = part.last_word + 1;
    if (part.tokens + tokens > limit) finish();
    if (tokens > limit) {
      pieces.clear();
      cut_word(text, {word.begin, word.end}, limit, pieces);
      for (const ByteRange& piece : pieces) {
        out.push_back({piece, unit.kind, limit, part.last_word, last, scored.excess(part.last_word, last)});
      }
    } else {
      if (part.range.size() == 0) part.range.begin = word.begin;
      part.range.end = word.end;
      part.tokens += tokens;
    }
    part.last_word = last;
  }
  finish();
}

std::vector<Unit> units_within(std::string_view text, const ScoredText& scored, size_t budget) {
  std::vector<Unit> units;
  units.reserve(scored.units.size());
  for (const Unit& unit : scored.units) {
    if (unit.tokens <= budget) {
      units.push_back(unit);
    } else if (unit.kind == BlockKind::kProse || unit.kind == BlockKind::kHeading) {
      cut_unit(text, scored, unit, std::max<size_t>(budget / kPartsPerBudget, 1), units);
    }
  }
  return units;
}

// For each unit whether it overlaps one of the ranges, which are sorted.
std::vector<bool> overlaps(const std::vector<Unit>& units, const ByteRanges& ranges) {
  std::vector<bool> result(units.size());
  size_t next = 0;
  for (size_t i = 0; i < units.size(); ++i) {
    while (next < ranges.size() && ranges[next].second <= units[i].range.begin) ++next;
    result[i] = next < ranges.size() && ranges[next].first < units[i].range.end;
  }
  return result;
}

// Units from the best to the worst. A heap, since a small budget asks for few of many.
class Ranking {
 public:
  Ranking(const std::vector<Unit>& units, const std::vector<bool>& is_protected)
      : units_(units), protected_(is_protected), heap_(units.size()) {
    std::iota(heap_.begin(), heap_.end(), size_t{0});
    std::make_heap(heap_.begin(), heap_.end(), Worse{units_, protected_});
  }
  bool empty() const { return heap_.empty(); }
  size_t next() {
    std::pop_heap(heap_.begin(), heap_.end(), Worse{units_, protected_});
    const size_t best = heap_.back();
    heap_.pop_back();
    return best;
  }

 private:
  struct Worse {
    const std::vector<Unit>& units;
    const std::vector<bool>& is_protected;
    bool operator()(size_t a, size_t b) const {
      if (is_protected[a] != is_protected[b]) return static_cast<bool>(is_protected[b]);
      return units[a].score != units[b].score ? units[a].score < units[b].score : a > b;
    }
  };
  const std::vector<Unit>& units_;
  const std::vector<bool>& protected_;
  std::vector<size_t> heap_;
};

bool only_space(std::string_view text) {
  text::Word word;
  return !text::WordReader(text, {0, text.size()}).next(word);
}

// The units to keep, in order of the text.
std::vector<size_t> choose(const std::vector<Unit>& units, const Selection& selection, size_t budget) {
  const std::vector<bool> is_protected = overlaps(units, selection.protected_ranges);
  float least = std::numeric_limits<float>::lowest();
  if (selection.focus > 0) {
    const auto best =
        std::max_element(units.begin(), units.end(), [](const Unit& a, const Unit& b) { return a.score < b.score; });
    if (best != units.end()) least = selection.focus * best->score;
  }
  std::vector<size_t> chosen;
  for (Ranking ranking(units, is_protected); budget > 0 && !ranking.empty();) {
    const size_t i = ranking.next();
    if (units[i].tokens > budget || (units[i].score < least && !is_protected[i])) continue;
    budget -= units[i].tokens;
    chosen.push_back(i);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

std::vector<ByteRange> select_units(std::string_view text, const ScoredText& scored, const Selection& selection,
                                    size_t budget) {
  const std::vector<Unit> units = units_within(text, scored, budget);
  std::vector<ByteRange> kept;
  for (const size_t i : choose(units, selection, budget)) {
    const ByteRange range = units[i].range;
    if (!kept.empty() && only_space(text.substr(kept.back().end, range.begin - kept.back().end))) {
      kept.back().end = range.end;
    } else {
      kept.push_back(range);
    }
  }
  return kept;
}

}  // namespace vsr::routing
