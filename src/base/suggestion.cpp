#include "base/suggestion.h"

#include <algorithm>
#include <numeric>

namespace vsr::base {
namespace {

constexpr size_t kLongest = 100;
constexpr size_t kMostEdits = 2;

// Levenshtein's distance.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view name, const std::vector<std::string_view>& known) {
  if (name.size() > kLongest) return "";
  std::string_view nearest;
  size_t fewest = kMostEdits + 1;
  for (const std::string_view candidate : known) {
    if (candidate.size() > name.size() + kMostEdits || name.size() > candidate.size() + kMostEdits) continue;
    const size_t edits = edit_distance(name, candidate);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = candidate;
  }
  return fewest > kMostEdits ? "" : " (did you mean \"" + std::string(nearest) + "\"?)";
}

}  // namespace vsr::base
