// A text as the methods of keyword rules need it, each form made once and only when asked for.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routing/signals/keyword_matcher.h"

namespace vsr::routing {

// Of one call and one thread. Borrows the text and the matchers.
class KeywordText {
 public:
  // Matchers of folded keywords, without and with regard to case.
  KeywordText(std::string_view text, const KeywordMatcher& any_case, const KeywordMatcher& exact_case)
      : text_(text), matchers_{&any_case, &exact_case} {}

  std::string_view raw() const { return text_; }
  const std::string& folded(bool case_sensitive);

  // Which of the matcher's keywords occur.
  const std::vector<bool>& found(bool case_sensitive);

  // Calls `sink` with the stretches of `words` neighbouring words, with what is between them; those of more than
  // kMaxWindow characters are left out, and most that come again. Ends when it returns false.
  using WindowSink = std::function<bool(const std::u32string& window)>;
  void each_window(size_t words, bool case_sensitive, const WindowSink& sink);
  static constexpr size_t kMaxWindow = 256;

 private:
  void read_windows(size_t words, bool case_sensitive, const WindowSink& sink);

  std::string_view text_;
  const KeywordMatcher* matchers_[2];
  std::optional<std::string> folded_[2];
  std::optional<std::vector<bool>> found_[2];
  std::map<size_t, std::vector<std::u32string>> windows_[2];  // of texts that are not long
};

}  // namespace vsr::routing
