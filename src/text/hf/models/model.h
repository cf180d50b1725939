// Models: turn words into tokens. One class per `type` of tokenizer.json's "model".
#pragma once

#include <bitset>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "text/parts/span.h"
#include "text/parts/vocabulary.h"

namespace vsr::text {

// Tokens and the spans of the normalized text that they represent.
struct Tokens {
  std::vector<int32_t> ids;
  std::vector<Span> spans;

  void add(int32_t id, Span span) {
    ids.push_back(id);
    spans.push_back(span);
  }
};

class Model {
 public:
  virtual ~Model() = default;
  // Appends the tokens of the words of `text`, in order.
  virtual void tokenize(std::string_view text, std::span<const Span> words, Tokens& tokens) const = 0;
  // By ASCII character: whether its word may not be cut before a U+2581 that follows. Null: words are never cut.
  virtual const std::bitset<128>* joined_to_space() const { return nullptr; }
  virtual const Vocabulary& vocabulary() const = 0;
  virtual std::string_view kind() const = 0;
};

using ModelPtr = std::unique_ptr<const Model>;

}  // namespace vsr::text
