// Tokenizers written out in a test.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/temp_folder.h"
#include "text/load_tokenizer.h"

namespace vsr::test {

inline std::shared_ptr<const text::Tokenizer> load_json(const std::string& json) {
  const TempFolder folder;
  return text::load_tokenizer(folder.write("tokenizer.json", json));
}

// What the tokens are called, and which part of the text each of them is.
struct Cut {
  std::vector<std::string> tokens;
  std::vector<std::string> parts;
};

inline Cut cut(const text::Tokenizer& tokenizer, std::string_view text) {
  const text::TokenSequence sequence = tokenizer.tokenize(text);
  Cut result;
  for (size_t i = 0; i < sequence.ids.size(); ++i) {
    const text::Span span = sequence.offsets[i];
    result.tokens.push_back(tokenizer.token(sequence.ids[i]));
    result.parts.emplace_back(text.substr(span.begin, span.end - span.begin));
  }
  return result;
}

using Strings = std::vector<std::string>;

}  // namespace vsr::test
