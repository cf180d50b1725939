// Sentencepiece's own models, through its library.
#pragma once

#include <memory>
#include <string>

#include "text/tokenizer.h"

namespace vsr::text {

// A .model or .spm file. The library's own rules hold: no tokens are added to a text. Throws kParse for what is no
// model.
std::shared_ptr<const Tokenizer> load_sentencepiece(const std::string& path);

}  // namespace vsr::text
