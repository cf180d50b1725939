// What comes before every text of an embedding call.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/calls/call_options.h"
#include "engine/model/loaded_model.h"

namespace vsr::engine {

struct Prompt {
  std::string text;  // empty: none
  // What pooling leaves out of each encoding, where 1_Pooling has include_prompt false: leading tokens, and how many of
  // them are the text's own rather than the template's.
  size_t unpooled_tokens = 0;
  size_t unpooled_content = 0;
};

// The instruction, else the prompt that is named, else the checkpoint's default. Throws kNotFound for a name that the
// checkpoint does not have, kInvalidArgument when both are given.
Prompt resolve_prompt(const LoadedModel& model, const EmbedOptions& options);

// Texts with the prompt in front; `storage` keeps what had to be joined.
std::vector<TextPair> with_prompt(std::span<const std::string_view> texts, const Prompt& prompt,
                                  std::vector<std::string>& storage);

}  // namespace vsr::engine
