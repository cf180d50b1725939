// vsr_embed_options as the engine takes them.
#pragma once

#include "engine/calls/call_options.h"
#include "vsr/infer.h"

namespace vsr::c_api {

// Throws kInvalidArgument naming the field.
engine::EmbedOptions read_embed(const vsr_embed_options* given);

}  // namespace vsr::c_api
