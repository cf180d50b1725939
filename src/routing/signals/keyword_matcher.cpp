#include "routing/signals/keyword_matcher.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "base/error.h"
#include "facts/words.h"

namespace vsr::routing {

KeywordMatcher::KeywordMatcher(std::span<const std::string> keywords) {
  size_t bytes = 0;
  for (const std::string& keyword : keywords) {
    bytes += keyword.size();
    for (const char c : keyword) {
      uint16_t& byte_class = byte_class_[static_cast<uint8_t>(c)];
      if (byte_class == 0) byte_class = static_cast<uint16_t>(classes_++);
    }
  }
  if (bytes > kMaxBytes) {
    base::fail(base::Status::kLimit, "keywords: ", bytes, " bytes in all, expected at most ", kMaxBytes);
  }
  add_state();
  for (size_t i = 0; i < keywords.size(); ++i) insert(keywords[i], static_cast<uint32_t>(i));
  connect();
}

uint32_t KeywordMatcher::add_state() {
  next_.resize(next_.size() + classes_, 0);
  keyword_.push_back(kNone);
  return static_cast<uint32_t>(keyword_.size() - 1);
}

void KeywordMatcher::insert(std::string_view keyword, uint32_t index) {
  if (keyword.empty()) base::fail(base::Status::kInvalidArgument, "keywords: keyword ", index, " is empty");
  uint32_t state = 0;
  for (const char c : keyword) {
    const size_t byte_class = byte_class_[static_cast<uint8_t>(c)];
    if (next(state, byte_class) == 0) {
      const uint32_t added = add_state();
      next(state, byte_class) = added;
    }
    state = next(state, byte_class);
  }
  if (keyword_[state] != kNone) {
    base::fail(base::Status::kInvalidArgument, "keywords: \"", keyword, "\" is given twice");
  }
  keyword_[state] = index;
  lengths_.push_back(static_cast<uint32_t>(keyword.size()));
  longest_ = std::max(longest_, keyword.size());
}

// Breadth first, so that the automaton of a state's suffix is complete before the state's own.
void KeywordMatcher::connect() {
  std::vector<uint32_t> suffix(keyword_.size(), 0), queue;
  shorter_.assign(keyword_.size(), 0);
  for (size_t c = 1; c < classes_; ++c) {
    if (next_[c] != 0) queue.push_back(next_[c]);
  }
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t state = queue[i];
    shorter_[state] = keyword_[suffix[state]] != kNone ? suffix[state] : shorter_[suffix[state]];
    for (size_t c = 1; c < classes_; ++c) {
      uint32_t& target = next(state, c);
      const uint32_t fallback = next(suffix[state], c);
      if (target == 0) {
        target = fallback;
      } else {
        suffix[target] = fallback;
        queue.push_back(target);
      }
    }
  }
}

void KeywordMatcher::find(std::string_view text, const std::function<void(const KeywordMatch&)>& sink) const {
  uint32_t state = 0;
  base::Checkpoint checkpoint, matches;
  for (size_t i = 0; i < text.size(); ++i) {
    checkpoint(i);
    state = next_[size_t{state} * classes_ + byte_class_[static_cast<uint8_t>(text[i])]];
    for (uint32_t s = keyword_[state] != kNone ? state : shorter_[state]; s != 0; s = shorter_[s]) {
      matches.add(1);
      const uint32_t keyword = keyword_[s];
      const size_t end = i + 1, begin = end - lengths_[keyword];
      if (facts::may_end_word(text, end) && facts::may_begin_word(text, begin)) sink({begin, end, keyword});
    }
  }
}

}  // namespace vsr::routing
