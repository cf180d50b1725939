// Models that know words by the vocabulary alone: WordPiece and WordLevel.
#pragma once

#include <cstddef>
#include <string>

#include "base/json.h"
#include "text/hf/models/model.h"

namespace vsr::text {

struct WordPieceOptions {
  std::string unk_token = "[UNK]";
  std::string continuing_subword_prefix = "##";
  size_t max_input_chars_per_word = 100;
};
// Throws kParse when the vocabulary, which `source` names, lacks the unknown token.
ModelPtr make_word_piece(Vocabulary vocabulary, const WordPieceOptions& options, const std::string& source);
ModelPtr load_word_level(const base::JsonObject& json);

}  // namespace vsr::text
