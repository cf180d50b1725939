// A tokenizer as every model sees it: texts to ids with byte offsets, and back. Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokens/encoding.h"

namespace vsr::text {

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Tokenizes all of `text`, which may be malformed UTF-8, of any length below 2 GiB, and hold NULs. Asks for the end
  // of the thread's call (base/checkpoint.h).
  virtual TokenSequence tokenize(std::string_view text) const = 0;
  // How many tokens tokenize() would give, without room for them.
  virtual size_t count_tokens(std::string_view text) const { return tokenize(text).ids.size(); }

  // Puts a sequence, or a pair, into the template. `pair` may be null. Without special tokens the sides are joined and
  // keep their type ids.
  virtual Encoding apply_template(SequenceView text, const SequenceView* pair, bool add_special_tokens) const = 0;

  // The number of tokens that the template adds to a single text, or to a pair.
  virtual size_t special_token_count(bool pair) const = 0;

  virtual std::string decode(const std::vector<int32_t>& ids, bool skip_special_tokens) const = 0;

  // Ids run from 0 to vocab_size() - 1; an id in a gap of the vocabulary has an empty token.
  virtual size_t vocab_size() const = 0;
  // The vocabulary's entry; throws kInvalidArgument for an id outside it.
  virtual const std::string& token(int32_t id) const = 0;
  // -1 when there is no such token.
  virtual int32_t token_id(std::string_view token) const = 0;
  // What it is made of, for people: "WordPiece", "BPE", ...
  virtual std::string_view kind() const = 0;

  // The whole input, specials included.
  Encoding encode(std::string_view text, const std::string_view* pair, bool add_special_tokens) const;
};

}  // namespace vsr::text
