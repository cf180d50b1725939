// Reads the "pre_tokenizer" of a tokenizer.json.
#pragma once

#include "base/json.h"
#include "text/hf/pre_tokenizers/pre_tokenizer.h"

namespace vsr::text {

// Reads the value of "pre_tokenizer". Throws kParse, or kUnsupported naming the type.
PreTokenizers load_pre_tokenizer(const base::JsonObject& json);

}  // namespace vsr::text
