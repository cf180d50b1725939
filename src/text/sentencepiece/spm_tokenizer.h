// Sentencepiece models as tokenizers.
#pragma once

#include <memory>
#include <string>

#include "text/tokens/tokenizer.h"

namespace vsr::text {

// A .model or .spm file. Ids, offsets and decoded texts are those of the sentencepiece library, which adds no special
// tokens of its own: neither does the template. Throws kNotFound, kIo, or kParse.
std::shared_ptr<const Tokenizer> load_spm(const std::string& path);

}  // namespace vsr::text
