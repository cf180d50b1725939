#include "text/windows.h"

#include <algorithm>

#include "base/error.h"

namespace vsr::text {

std::vector<TokenRange> window_ranges(size_t length, size_t capacity) {
  const size_t stride = std::max<size_t>(capacity / 2, 1);
  std::vector<TokenRange> ranges;
  for (size_t begin = 0;; begin += stride) {
    ranges.push_back({begin, std::min(begin + capacity, length)});
    if (begin + capacity >= length) return ranges;
  }
}

WindowedInput::WindowedInput(const Tokenizer& tokenizer, std::string_view text, const std::string_view* pair,
                             size_t limit, size_t max_tokens)
    : text_(tokenizer.tokenize(text)), has_pair_(pair != nullptr) {
  const size_t specials = tokenizer.special_token_count(has_pair_);
  fixed_tokens_ = specials;
  if (has_pair_) {
    pair_ = tokenizer.tokenize(*pair);
    windowed_side_ = pair_.ids.size() > text_.ids.size() ? 1 : 0;
    fixed_tokens_ += windowed_side_ == 0 ? pair_.ids.size() : text_.ids.size();
  }
  if (max_tokens != 0 && token_count() > max_tokens) {
    base::fail(base::Status::kLimit, "text has ", token_count(), " tokens, max_tokens is ", max_tokens);
  }
  if (token_count() <= limit) {
    ranges_ = {{0, windowed().ids.size()}};
    return;
  }
  const size_t least_room = std::max<size_t>(limit / 8, 1);
  if (fixed_tokens_ + least_room > limit) {
    base::fail(base::Status::kLimit, "the shorter side of the pair has ", fixed_tokens_ - specials,
               " tokens, which leaves less than ", least_room, " of the model's ", limit, " to the longer one");
  }
  ranges_ = window_ranges(windowed().ids.size(), limit - fixed_tokens_);
}

Encoding WindowedInput::encode(const Tokenizer& tokenizer, TokenRange range, bool add_special_tokens) const {
  SequenceView text{&text_, 0, text_.ids.size()};
  SequenceView pair{&pair_, 0, pair_.ids.size()};
  SequenceView& cut = windowed_side_ == 0 ? text : pair;
  cut.begin = range.begin;
  cut.end = range.end;
  return tokenizer.apply_template(text, has_pair_ ? &pair : nullptr, add_special_tokens);
}

Encoding WindowedInput::encode_window(const Tokenizer& tokenizer, size_t i) const {
  return encode(tokenizer, ranges_[i], true);
}

Encoding WindowedInput::encode_whole(const Tokenizer& tokenizer, bool add_special_tokens) const {
  return encode(tokenizer, {0, windowed().ids.size()}, add_special_tokens);
}

}  // namespace vsr::text
