#include "facts/pii_context.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "facts/pii_patterns.h"

namespace vsr::facts {

ContextWords::ContextWords(std::string_view lower_text, std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    if (lower_text.size() > base::Checkpoint::kStride) base::check_thread_limits();
    base::Checkpoint checkpoint;
    for (size_t i = lower_text.find(word); i != std::string_view::npos; i = lower_text.find(word, i + word.size())) {
      checkpoint(i);
      const size_t end = i + word.size();
      const bool goes_on = end < lower_text.size() && is_letter(lower_text[end]);
      if (!word_before(lower_text, i) && !goes_on) positions_.push_back(static_cast<uint32_t>(i));
    }
  }
  std::sort(positions_.begin(), positions_.end());
}

bool ContextWords::near(size_t begin, size_t end) const {
  constexpr size_t kBefore = 48, kAfter = 16;
  return any_within(begin - std::min(begin, kBefore), begin) || any_within(end, end + kAfter);
}

bool ContextWords::any_within(size_t first, size_t last) const {
  const auto position = std::lower_bound(positions_.begin(), positions_.end(), first);
  return position != positions_.end() && *position < last;
}

}  // namespace vsr::facts
