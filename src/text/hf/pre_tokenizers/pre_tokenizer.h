// Pre-tokenizers: cut a normalized text into the words that the model sees. One class per `type` of tokenizer.json's
// "pre_tokenizer".
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "text/parts/normalized_text.h"
#include "text/parts/word_ends.h"

namespace vsr::text {

// A text with its words, which are in order, not empty and do not overlap.
struct Words {
  NormalizedText text;
  std::vector<Span> spans;

  // `cut(word, cuts)` appends to `cuts` what each word becomes; the text stays.
  template <class Cut>
  void cut_each(const Cut& cut) {
    std::vector<Span> cuts;
    cuts.reserve(spans.size());
    for (const Span word : spans) cut(word, cuts);
    spans = std::move(cuts);
  }
};

class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Cuts each word into smaller ones; may rewrite the text.
  virtual void split(Words& words) const = 0;
  // Where words end whatever is around them.
  virtual WordEnds ends() const { return WordEnds::kUnknown; }
  // Whether it does nothing to texts without spaces.
  virtual bool only_cuts_spaces() const { return false; }
};

using PreTokenizerPtr = std::unique_ptr<const PreTokenizer>;

// What a pre-tokenizer of tokenizer.json asks for. With `byte_level` the model reads the bytes of the words through the
// byte alphabet of GPT-2; this is left to the model, which can read the bytes as they are.
struct PreTokenizers {
  PreTokenizerPtr steps;  // null: none
  bool byte_level = false;
};

}  // namespace vsr::text
