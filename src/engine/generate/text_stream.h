// Tokens as they come, in pieces of text that end with whole characters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "text/tokens/tokenizer.h"

namespace vsr::engine {

// The text of generated tokens, without special ones. A model may predict ids that its tokenizer has no token for.
std::string decode_generated(const text::Tokenizer& tokenizer, std::vector<int32_t> ids);

class TextStream {
 public:
  explicit TextStream(const text::Tokenizer& tokenizer) : tokenizer_(tokenizer) {}
  // What `id` completes: nothing as long as the text ends within a character.
  std::string add(int32_t id);
  // What is left when no more tokens come.
  std::string finish();

 private:
  std::string piece(bool last);
  const text::Tokenizer& tokenizer_;
  // Decoders look back: a token's text is the difference that it makes after a few tokens before it.
  std::vector<int32_t> ids_;
  size_t context_ = 0;  // tokens at the front that are only there for that
};

}  // namespace vsr::engine
