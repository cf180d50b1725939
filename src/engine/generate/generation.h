// Text from a causal LM.
#pragma once

#include <string_view>

#include "engine/generate/decode_session.h"
#include "engine/generate/generation_types.h"

namespace vsr::engine {

// Throws kInvalidArgument for options out of range and for a prompt without tokens, kLimit when the prompt and
// max_new_tokens do not fit the model, kCancelled, kDeadline.
Generation generate(const LoadedModel& model, std::string_view prompt, const GenerateOptions& options);

// Throws kLimit unless `prompt_tokens` and as many new ones fit the model.
void check_room(const LoadedModel& model, size_t prompt_tokens, size_t max_new_tokens);

// Goes on from what `session` has read.
Generation continue_text(const LoadedModel& model, DecodeSession& session, const GenerateOptions& options);

}  // namespace vsr::engine
