#include "routing/signals/keyword_text.h"

#include <unordered_set>

#include "routing/facts/fold.h"
#include "routing/facts/words.h"
#include "routing/signals/word_similarity.h"

namespace vsr::routing {

const std::string& KeywordText::folded(bool case_sensitive) {
  std::optional<std::string>& folded = folded_[case_sensitive];
  if (!folded) folded = fold(text_, case_sensitive);
  return *folded;
}

const std::vector<bool>& KeywordText::found(bool case_sensitive) {
  std::optional<std::vector<bool>>& found = found_[case_sensitive];
  if (!found) {
    const KeywordMatcher& matcher = *matchers_[case_sensitive];
    found.emplace(matcher.size(), false);
    matcher.find(folded(case_sensitive), [&](const KeywordMatch& match) { (*found)[match.keyword] = true; });
  }
  return *found;
}

const std::vector<std::u32string>& KeywordText::windows(size_t words, bool case_sensitive) {
  const auto [entry, added] = windows_[case_sensitive].try_emplace(words);
  if (added) entry->second = make_windows(words, case_sensitive);
  return entry->second;
}

std::vector<std::u32string> KeywordText::make_windows(size_t count, bool case_sensitive) {
  std::optional<std::vector<std::string_view>>& words = words_[case_sensitive];
  if (!words) words = split_words(folded(case_sensitive));
  std::vector<std::u32string> windows;
  std::unordered_set<std::string_view> seen;
  for (size_t i = 0; i + count <= words->size(); ++i) {
    const std::string_view first = (*words)[i], last = (*words)[i + count - 1];
    const std::string_view window(first.data(), static_cast<size_t>(last.data() + last.size() - first.data()));
    constexpr size_t kLongestCharacter = 4;
    if (window.size() > kMaxWindow * kLongestCharacter || !seen.insert(window).second) continue;
    if (std::u32string points = code_points(window); points.size() <= kMaxWindow) windows.push_back(std::move(points));
  }
  return windows;
}

}  // namespace vsr::routing
