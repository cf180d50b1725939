// Sentencepiece models inside checkpoints, which may mean more than the model says.
#pragma once

#include <string>

namespace vsr::text {

// Throws kUnsupported when the folder's tokenizer_config.json or config.json names a tokenizer or a model type for
// which transformers changes the ids of the sentencepiece model `file`: moves them, or adds special tokens.
void check_spm_checkpoint(const std::string& folder, const std::string& file);

}  // namespace vsr::text
