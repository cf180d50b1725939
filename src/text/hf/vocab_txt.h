// BERT's older format: a vocab.txt with one WordPiece token per line.
#pragma once

#include <memory>
#include <string>

#include "text/tokens/tokenizer.h"

namespace vsr::text {

// Options come from a tokenizer_config.json in the same folder; without one they are BERT's. Throws kParse when a
// special token is not in the vocabulary.
std::shared_ptr<const Tokenizer> load_vocab_txt(const std::string& path);

}  // namespace vsr::text
