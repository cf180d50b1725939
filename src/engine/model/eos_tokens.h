// The tokens that end a text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"

namespace vsr::engine {

// "eos_token_id", one id or several, of generation_config.json, else of config.json; empty when neither has one. Throws
// kParse for an id outside of the vocabulary.
std::vector<int32_t> read_eos_tokens(const std::string& folder, const base::JsonObject& config, int64_t vocab_size);

}  // namespace vsr::engine
