// How a text longer than a model's limit is cut into overlapping windows. The rule, which docs and goldens repeat:
// a window holds `capacity` = limit - special tokens of the template (of a pair also minus the shorter side); windows
// start at 0, s, 2s, ... with s = capacity / 2 (at least 1), and the first that reaches the end is the last.
#pragma once

#include <cstddef>
#include <vector>

#include "text/tokens/tokenizer.h"

namespace vsr::text {

struct TokenRange {
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
};

// Ranges of a sequence of `length` tokens; an empty one has one empty window.
std::vector<TokenRange> window_ranges(size_t length, size_t capacity);

// One input, tokenized whole, and the windows in which the model reads it. Immutable.
class WindowedInput {
 public:
  // `pair` may be null. Throws kLimit when the whole encoding has more than `max_tokens` (0: no such limit), or when
  // the shorter side of a pair leaves less than an eighth of `limit` to the longer one.
  WindowedInput(const Tokenizer& tokenizer, std::string_view text, const std::string_view* pair, size_t limit,
                size_t max_tokens);

  size_t window_count() const { return ranges_.size(); }
  // Tokens that window `i` reads of the side that is windowed.
  TokenRange range(size_t i) const { return ranges_[i]; }
  // Length of window `i` as the model sees it.
  size_t encoded_size(size_t i) const { return fixed_tokens_ + ranges_[i].size(); }
  Encoding encode_window(const Tokenizer& tokenizer, size_t i) const;
  // The encoding that a model without a limit would see.
  Encoding encode_whole(const Tokenizer& tokenizer, bool add_special_tokens = true) const;

  size_t token_count() const { return fixed_tokens_ + windowed().ids.size(); }
  size_t replaced_bytes() const { return text_.replaced_bytes + pair_.replaced_bytes; }
  bool has_pair() const { return has_pair_; }
  // 0: the text is windowed, 1: the pair is.
  int windowed_side() const { return windowed_side_; }

 private:
  const TokenSequence& windowed() const { return windowed_side_ == 0 ? text_ : pair_; }
  Encoding encode(const Tokenizer& tokenizer, TokenRange range, bool add_special_tokens) const;

  TokenSequence text_;
  TokenSequence pair_;
  bool has_pair_;
  int windowed_side_ = 0;
  size_t fixed_tokens_ = 0;  // special tokens, and the other side of a pair
  std::vector<TokenRange> ranges_;
};

}  // namespace vsr::text
