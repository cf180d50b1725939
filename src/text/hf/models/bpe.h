// Byte-pair encoding. bpe_load.cpp reads it, bpe.cpp merges.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "text/hf/models/bpe_merges.h"
#include "text/hf/models/model.h"
#include "text/hf/models/word_cache.h"
#include "text/parts/bpe_cuts.h"

namespace vsr::text {

struct BpeOptions {
  std::optional<std::string> unk_token;
  std::string continuing_subword_prefix;
  std::string end_of_word_suffix;
  bool fuse_unk = false;
  bool byte_fallback = false;
  bool ignore_merges = false;
  bool byte_level = false;  // the vocabulary is in GPT-2's byte alphabet, the words are bytes
};

// A symbol of a word: a token and how many bytes it takes.
struct BpeSymbol {
  int32_t id;
  uint32_t length;
};

class Bpe : public Model {
 public:
  // `unk_id` is -1 without an unknown token.
  Bpe(Vocabulary vocabulary, BpeMerges merges, const BpeOptions& options, int32_t unk_id);

  void tokenize(std::string_view text, std::span<const Span> words, Tokens& tokens) const override;
  const std::bitset<128>* joined_to_space() const override {
    return cuts_ && !options_.ignore_merges ? &joined_to_space_ : nullptr;
  }
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  std::string_view kind() const override { return "BPE"; }

 private:
  struct Scratch {
    WordCache& cache;
    std::vector<BpeSymbol> symbols{};
    std::vector<uint32_t> ranks{};
    std::vector<int32_t> merged{};
    std::string text{};
    bool dropped = false;  // a character that is no token was left out
  };

  void tokenize_word(std::string_view text, Span word, Scratch& scratch, Tokens& tokens) const;
  void tokenize_long_word(std::string_view text, Span word, Scratch& scratch, Tokens& tokens) const;
  void tokenize_chunk(std::string_view text, Span chunk, Scratch& scratch, Tokens& tokens) const;
  bool is_token(std::string_view word, Scratch& scratch, int32_t& id) const;
  void merge_word(std::string_view word, Scratch& scratch) const;
  void add_symbols(std::string_view word, Scratch& scratch) const;
  void add_bytes(std::string_view word, Scratch& scratch) const;
  int32_t find_character(std::string_view character, bool is_first, bool is_last, Scratch& scratch) const;
  bool add_fallback(std::string_view symbol, std::vector<BpeSymbol>& symbols) const;
  void merge_short(Scratch& scratch) const;
  void merge_long(Scratch& scratch) const;
  void emit(std::string_view text, Span word, const Scratch& scratch, Tokens& tokens) const;
  void emit_with_gaps(std::string_view word, uint32_t begin, const Scratch& scratch, Tokens& tokens) const;
  bool decide_whole(int32_t id, std::string_view word, Scratch& scratch) const;

  Vocabulary vocabulary_;
  // The vocabulary by the bytes that the tokens represent; only with byte_level.
  std::unique_ptr<const Vocabulary> byte_tokens_;
  BpeMerges merges_;
  BpeOptions options_;
  int32_t unk_id_;
  std::array<int32_t, 256> byte_ids_{};   // of the tokens for single bytes, or of <0x..>; -1: none
  std::array<int32_t, 128> ascii_ids_{};  // of the tokens for single characters
  bool has_all_bytes_ = true;
  std::unique_ptr<const BpeCuts> cuts_;        // null where words may not be cut
  std::unique_ptr<const ByteCuts> byte_cuts_;  // the same for words of bytes
  std::bitset<128> joined_to_space_;
  // By id: whether the token's own text is merged into it, 0 while not known. Threads may find out at the same time.
  std::unique_ptr<std::atomic<uint8_t>[]> whole_;
  mutable WordCaches caches_;
};

ModelPtr load_bpe(const base::JsonObject& json, bool byte_level);

}  // namespace vsr::text
