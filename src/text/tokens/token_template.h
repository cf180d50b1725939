// The tokens that a model wants around its texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/tokens/encoding.h"

namespace vsr::text {

struct TemplatePiece {
  enum Kind { kText, kPair, kSpecial };
  Kind kind;
  int32_t id;  // of a special token
  int32_t type_id;
};

// Of a single text, and of a pair; with nothing said the texts alone.
struct TokenTemplate {
  std::vector<TemplatePiece> single = {{TemplatePiece::kText, 0, 0}};
  std::vector<TemplatePiece> pair = {{TemplatePiece::kText, 0, 0}, {TemplatePiece::kPair, 0, 1}};

  Encoding apply(SequenceView text, const SequenceView* pair_text, bool add_special_tokens) const;
  size_t special_token_count(bool with_pair) const;
};

}  // namespace vsr::text
