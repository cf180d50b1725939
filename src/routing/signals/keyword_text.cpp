#include "routing/signals/keyword_text.h"

#include <functional>

#include "facts/fold.h"
#include "facts/words.h"
#include "routing/signals/word_similarity.h"

namespace vsr::routing {

const std::string& KeywordText::folded(bool case_sensitive) {
  std::optional<std::string>& folded = folded_[case_sensitive];
  if (!folded) folded = facts::fold(text_, case_sensitive);
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

namespace {

// Stretches seen lately: exact, and of a fixed size whatever the text.
class SeenWindows {
 public:
  // Whether it is new, as far as is known.
  bool insert(std::string_view window) {
    std::string_view& slot = slots_[std::hash<std::string_view>()(window) % kSlots];
    if (slot == window) return false;
    slot = window;
    return true;
  }

 private:
  static constexpr size_t kSlots = 8192;
  std::vector<std::string_view> slots_ = std::vector<std::string_view>(kSlots);
};

struct Stopped {};  // thrown through each_word()

}  // namespace

void KeywordText::each_window(size_t count, bool case_sensitive, const WindowSink& sink) {
  constexpr size_t kKept = size_t{64} << 10;
  if (folded(case_sensitive).size() > kKept) return read_windows(count, case_sensitive, sink);
  const auto [entry, added] = windows_[case_sensitive].try_emplace(count);
  if (added) {
    read_windows(count, case_sensitive, [&, &kept = entry->second](const std::u32string& window) {
      kept.push_back(window);
      return true;
    });
  }
  for (const std::u32string& window : entry->second) {
    if (!sink(window)) return;
  }
}

void KeywordText::read_windows(size_t count, bool case_sensitive, const WindowSink& sink) {
  SeenWindows seen;
  std::vector<std::string_view> last(count);  // a ring of the last words
  size_t words = 0;
  const auto on_word = [&](std::string_view word) {
    last[words++ % count] = word;
    if (words < count) return;
    const char* const begin = last[words % count].data();
    const std::string_view window(begin, static_cast<size_t>(word.data() + word.size() - begin));
    constexpr size_t kLongestCharacter = 4;
    if (window.size() > kMaxWindow * kLongestCharacter || !seen.insert(window)) return;
    if (const std::u32string points = code_points(window); points.size() <= kMaxWindow && !sink(points))
      throw Stopped();
  };
  try {
    facts::each_word(folded(case_sensitive), on_word);
  } catch (const Stopped&) {
  }
}

}  // namespace vsr::routing
