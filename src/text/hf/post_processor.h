// Post-processors: put tokenized texts into the template that a model was trained on, and trim offsets.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/json.h"
#include "text/tokens/token_template.h"

namespace vsr::text {

struct PostProcessor {
  TokenTemplate tokens;
  // Offsets leave out the spaces that byte-level tokens begin or end with.
  bool trim_offsets = false;
  // A first token's single space was added and is not trimmed.
  bool add_prefix_space = false;
  // Trimming sees the template's tokens too, so that a text's first token is known by its offset alone.
  bool trims_after_template = false;
};

// Reads the value of "post_processor". `vocab_size` bounds the ids. Throws kParse, or kUnsupported naming the type.
PostProcessor load_post_processor(const base::JsonObject& json, size_t vocab_size);

// [CLS] text [SEP], and [CLS] text [SEP] pair [SEP] with types 0 and 1.
PostProcessor make_bert_processing(int32_t cls, int32_t sep);

}  // namespace vsr::text
