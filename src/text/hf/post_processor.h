// Post-processors: put tokenized texts into the template that a model was trained on, and trim offsets.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "text/tokenizer.h"

namespace vsr::text {

struct TemplatePiece {
  enum Kind { kText, kPair, kSpecial };
  Kind kind;
  int32_t id;  // of a special token
  int32_t type_id;
};

struct PostProcessor {
  std::vector<TemplatePiece> single = {{TemplatePiece::kText, 0, 0}};
  std::vector<TemplatePiece> pair = {{TemplatePiece::kText, 0, 0}, {TemplatePiece::kPair, 0, 1}};
  // Offsets leave out the spaces that byte-level tokens begin or end with.
  bool trim_offsets = false;
  // A first token's single space was added and is not trimmed.
  bool add_prefix_space = false;
  // Trimming sees the template's tokens too, so that a text's first token is known by its offset alone.
  bool trims_after_template = false;

  Encoding apply(SequenceView text, const SequenceView* pair_text, bool add_special_tokens) const;
  size_t special_token_count(bool with_pair) const;
};

// Reads the value of "post_processor". `vocab_size` bounds the ids. Throws kParse, or kUnsupported naming the type.
PostProcessor load_post_processor(const base::JsonObject& json, size_t vocab_size);

// [CLS] text [SEP], and [CLS] text [SEP] pair [SEP] with types 0 and 1.
PostProcessor make_bert_processing(int32_t cls, int32_t sep);

}  // namespace vsr::text
