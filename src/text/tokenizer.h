// A tokenizer as every model sees it: texts to ids with byte offsets, and back. Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace vsr::text {

// Half-open range of bytes in one side of the caller's text, which is below 4 GiB.
struct Span {
  uint32_t start = 0;
  uint32_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

// One side of the input without the template's special tokens.
struct TokenSequence {
  std::vector<int32_t> ids;
  std::vector<Span> offsets;  // bytes in the caller's text
  size_t replaced_bytes = 0;  // bytes that were not UTF-8 and were read as U+FFFD
};

// The model's input: a sequence or a pair inside the template. The vectors are of one length.
struct Encoding {
  std::vector<int32_t> ids;
  std::vector<int32_t> type_ids;
  std::vector<Span> offsets;   // {0, 0} for what the template added
  std::vector<int32_t> sides;  // 0 text, 1 pair, -1 added by the template
  size_t size() const { return ids.size(); }
};

// A view of part of a TokenSequence: what one window reads.
struct SequenceView {
  const TokenSequence* sequence = nullptr;
  size_t begin = 0;
  size_t end = 0;
  size_t size() const { return end - begin; }
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // Tokenizes all of `text`, which may be malformed UTF-8, of any length below 2 GiB, and hold NULs. Asks for the end of
  // the thread's call (base/checkpoint.h).
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

// A folder with tokenizer.json (else vocab.txt, else a sentencepiece model), a tokenizer.json under any name, a vocab.txt,
// or a sentencepiece model that ends with .model or .spm. Throws kNotFound, kIo, kParse, or kUnsupported naming the
// component that vsr does not implement exactly.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path);
// A tokenizer.json that has been read.
std::shared_ptr<const Tokenizer> load_tokenizer(const base::JsonObject& json);

}  // namespace vsr::text
