// Decoders: turn tokens back into text. One class per `type` of tokenizer.json's "decoder".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/json.h"

namespace vsr::text {

class Decoder {
 public:
  virtual ~Decoder() = default;
  // Rewrites the tokens; the text is what they give when joined.
  virtual void decode(std::vector<std::string>& tokens) const = 0;
};

using DecoderPtr = std::unique_ptr<const Decoder>;

// Reads the value of "decoder". Throws kParse, or kUnsupported naming the type.
DecoderPtr load_decoder(const base::JsonObject& json);

DecoderPtr make_word_piece_decoder(const std::string& prefix, bool cleanup);

}  // namespace vsr::text
