// Added and special tokens: found in the text before the model sees it.
#pragma once

#include <array>
#include <bitset>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/json.h"
#include "text/hf/normalizers/normalizer.h"
#include "text/parts/byte_trie.h"
#include "text/parts/normalized_text.h"
#include "text/parts/text_cuts.h"
#include "text/parts/vocabulary.h"

namespace vsr::text {

struct AddedToken {
  std::string content;
  int32_t id = 0;
  bool single_word = false;
  bool lstrip = false;
  bool rstrip = false;
  bool normalized = false;
  bool special = false;
  bool in_model = false;  // the model's own vocabulary has it, too
};

// A stretch of text, or an added token with the whitespace that it takes in.
struct AddedPiece {
  Span span;
  int32_t id;  // -1: text
};

class AddedTokens {
 public:
  // `normalizer` may be null. Throws kParse, calling the file `path`, when two tokens have the same pattern.
  AddedTokens(std::vector<AddedToken> tokens, const Normalizer* normalizer, const std::string& path);

  // Cuts a text at the tokens that are sought before (`normalized` false) or after normalisation.
  void split(std::string_view text, bool normalized, const std::function<void(const AddedPiece&)>& sink) const;
  // Of the places where words end, those at which cutting a text changes nothing of what is found after normalisation.
  WordEnds allowed(WordEnds ends) const;
  bool any(bool normalized) const { return matchers_[normalized].trie != nullptr; }

  // Null when `id` is not an added token.
  const AddedToken* find(int32_t id) const;
  // The text that decoding gives for the token: its normalized form where it is sought in normalized text.
  const std::string& decoded(const AddedToken& token) const;
  bool is_special(const std::string& content) const { return specials_.contains(content); }
  const std::vector<AddedToken>& tokens() const { return tokens_; }

 private:
  struct Matcher {
    std::unique_ptr<const ByteTrie> trie;
    std::bitset<65536> starts;  // the first two bytes of a pattern; one-byte patterns set all seconds
    std::array<bool, 256> single{};
  };
  struct Match {
    size_t begin, end;
    int32_t token;  // index
  };
  bool next_match(const Matcher& matcher, std::string_view text, size_t from, Match& match) const;

  std::vector<AddedToken> tokens_;
  std::vector<std::string> patterns_;
  std::array<Matcher, 2> matchers_;
  std::unordered_map<int32_t, size_t> by_id_;
  std::unordered_map<std::string, bool> specials_;
  bool cut_beside_spaces_ = true;  // no token that is sought in normalized text may lie across
  bool cut_beside_letters_ = true;
};

// Reads tokenizer.json's "added_tokens" (an array). Ids follow Hugging Face's rule, by which a token that the model
// lacks gets the next free id; a file that says otherwise is an error, as is a token longer than 4,096 bytes.
std::vector<AddedToken> read_added_tokens(const base::JsonValue& json, const Vocabulary& vocabulary);

}  // namespace vsr::text
