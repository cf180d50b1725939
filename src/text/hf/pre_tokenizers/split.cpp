#include "text/hf/pre_tokenizers/split.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vsr::text {
namespace {

void append(std::vector<Span>& words, Span span) {
  if (span.begin < span.end) words.push_back(span);
}

// Joins a part to the one before when `joins(is_match, previous_is_match)`.
template <class Joins>
void merge(const std::vector<Part>& parts, std::vector<Span>& words, Joins&& joins) {
  const size_t first = words.size();
  bool previous = false;
  for (const Part& part : parts) {
    if (words.size() > first && joins(part.is_match, previous)) {
      words.back().end = part.span.end;
    } else {
      words.push_back(part.span);
    }
    previous = part.is_match;
  }
}

void merge_with_next(const std::vector<Part>& parts, std::vector<Span>& words) {
  const size_t first = words.size();
  bool previous = false;
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (words.size() > first && part->is_match && !previous) {
      words.back().begin = part->span.begin;
    } else {
      words.push_back(part->span);
    }
    previous = part->is_match;
  }
  std::reverse(words.begin() + static_cast<ptrdiff_t>(first), words.end());
}

}  // namespace

SplitBehavior read_split_behavior(const base::JsonValue& value) {
  static constexpr std::array<std::pair<std::string_view, SplitBehavior>, 5> kNames = {{
      {"Removed", SplitBehavior::kRemoved},
      {"Isolated", SplitBehavior::kIsolated},
      {"MergedWithPrevious", SplitBehavior::kMergedWithPrevious},
      {"MergedWithNext", SplitBehavior::kMergedWithNext},
      {"Contiguous", SplitBehavior::kContiguous},
  }};
  const std::string name = value.as<std::string>();
  for (const auto& [known, behavior] : kNames) {
    if (name == known) return behavior;
  }
  value.fail("is \"" + name + "\", expected Removed, Isolated, MergedWithPrevious, MergedWithNext or Contiguous");
}

void apply_split(const std::vector<Part>& parts, SplitBehavior behavior, std::vector<Span>& words) {
  switch (behavior) {
    case SplitBehavior::kRemoved:
      for (const Part& part : parts) {
        if (!part.is_match) append(words, part.span);
      }
      break;
    case SplitBehavior::kIsolated:
      for (const Part& part : parts) append(words, part.span);
      break;
    case SplitBehavior::kContiguous:
      merge(parts, words, [](bool is_match, bool previous) { return is_match == previous; });
      break;
    case SplitBehavior::kMergedWithPrevious:
      merge(parts, words, [](bool is_match, bool previous) { return is_match && !previous; });
      break;
    case SplitBehavior::kMergedWithNext:
      merge_with_next(parts, words);
      break;
  }
}

}  // namespace vsr::text
