// Hugging Face's format: a tokenizer.json, which names what the tokenizer is made of.
#pragma once

#include <memory>

#include "base/json.h"
#include "text/tokens/tokenizer.h"

namespace vsr::text {

// A file that has been read. Throws kParse, or kUnsupported naming the component that vsr does not implement exactly.
std::shared_ptr<const Tokenizer> load_tokenizer_json(const base::JsonObject& json);

}  // namespace vsr::text
