// Tokenizers of all formats.
#pragma once

#include <memory>
#include <string>

#include "text/tokens/tokenizer.h"

namespace vsr::text {

// A folder with tokenizer.json (else vocab.txt, else a sentencepiece model), a tokenizer.json under any name, a
// vocab.txt, or a sentencepiece model that ends with .model or .spm. Throws kNotFound, kIo, kParse, or kUnsupported
// naming the component that vsr does not implement exactly.
std::shared_ptr<const Tokenizer> load_tokenizer(const std::string& path);

}  // namespace vsr::text
