#include "routing/signals/word_similarity.h"

#include <algorithm>

#include "base/utf8.h"

namespace vsr::routing {

std::u32string code_points(std::string_view text) {
  std::u32string points;
  points.reserve(text.size());
  while (!text.empty()) {
    const base::Decoded c = base::decode_utf8(text);
    points.push_back(c.code_point);
    text.remove_prefix(c.size);
  }
  return points;
}

bool within_edit_distance(std::u32string_view a, std::u32string_view b, size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  limit = std::min(limit, b.size());
  if (b.size() - a.size() > limit) return false;
  // previous[j]: the distance of the first i characters of `a` and the first j of `b`, or more than `limit`.
  std::vector<size_t> previous(b.size() + 1, limit + 1), current(previous);
  for (size_t j = 0; j <= limit; ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    const size_t first = i > limit ? i - limit : 0, last = std::min(b.size(), i + limit);
    size_t least = limit + 1;
    for (size_t j = first; j <= last; ++j) {
      size_t distance = previous[j] + 1;
      if (j == 0) {
        distance = i;
      } else {
        distance = std::min(distance, previous[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0));
        if (j > first) distance = std::min(distance, current[j - 1] + 1);
      }
      current[j] = std::min(distance, limit + 1);
      least = std::min(least, current[j]);
    }
    if (least > limit) return false;
    // The next row's band ends one further right and begins one further right: both are outside this row's band.
    if (last < b.size()) current[last + 1] = limit + 1;
    std::swap(previous, current);
  }
  return previous[b.size()] <= limit;
}

size_t allowed_edits(size_t characters, size_t threshold) {
  if (characters < 3) return 0;
  return std::min(threshold, characters < 6 ? size_t{1} : characters / 3);
}

Ngrams::Ngrams(std::u32string_view word, size_t n) {
  std::u32string padded(n - 1, U' ');
  padded.append(word).append(n - 1, U' ');
  for (size_t i = 0; i + n <= padded.size(); ++i) {
    uint64_t hash = 1469598103934665603ULL;  // FNV-1a over code points
    for (size_t j = i; j < i + n; ++j) hash = (hash ^ padded[j]) * 1099511628211ULL;
    grams_.push_back(hash);
  }
  std::sort(grams_.begin(), grams_.end());
}

double Ngrams::similarity(const Ngrams& other) const {
  size_t shared = 0;
  for (size_t i = 0, j = 0; i < grams_.size() && j < other.grams_.size();) {
    if (grams_[i] == other.grams_[j]) {
      ++shared, ++i, ++j;
    } else if (grams_[i] < other.grams_[j]) {
      ++i;
    } else {
      ++j;
    }
  }
  const size_t all = grams_.size() + other.grams_.size() - shared;
  return all == 0 ? 0 : static_cast<double>(shared) / static_cast<double>(all);
}

}  // namespace vsr::routing
