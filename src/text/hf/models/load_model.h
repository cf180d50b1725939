// Reads the "model" of a tokenizer.json.
#pragma once

#include "base/json.h"
#include "text/hf/models/model.h"

namespace vsr::text {

// Reads the value of "model". With `byte_level` the vocabulary is written in GPT-2's byte alphabet and the words are
// bytes. Throws kParse, or kUnsupported naming the type.
ModelPtr load_model(const base::JsonObject& json, bool byte_level);

}  // namespace vsr::text
