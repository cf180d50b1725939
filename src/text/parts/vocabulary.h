// The tokens of a model and their ids: a flat hash table over strings that are stored once, by id.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace vsr::text {

class Vocabulary {
 public:
  // tokens[id]; an empty one is a gap.
  explicit Vocabulary(std::vector<std::string> tokens);

  // -1 when there is no such token.
  int32_t find(std::string_view token) const;
  const std::string& token(int32_t id) const { return tokens_[static_cast<size_t>(id)]; }
  // One more than the largest id.
  size_t size() const { return tokens_.size(); }
  // Without gaps.
  size_t count() const { return count_; }
  const std::vector<std::string>& tokens() const { return tokens_; }

 private:
  struct Slot {
    uint32_t hash;
    int32_t id;
  };
  std::vector<std::string> tokens_;
  std::vector<Slot> slots_;
  size_t mask_ = 0;
  size_t count_ = 0;
};

uint64_t hash_bytes(std::string_view bytes);

// Ids beyond this are taken for damage: no vocabulary comes near.
constexpr int64_t kMaxTokenId = (int64_t{1} << 24) - 1;
// The same of the gaps between ids, each of which takes room, and of a token's length, which searches for the longest
// token multiply with the text's.
constexpr size_t kMaxGaps = 65'536;
constexpr size_t kMaxTokenBytes = 2048;

// Reads an object of token to id, as in a tokenizer.json's "model.vocab". Throws kParse naming the token for an id that
// is out of range or given twice.
std::vector<std::string> read_vocabulary(const base::JsonObject& json);

}  // namespace vsr::text
