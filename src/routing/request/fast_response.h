// The answer of a decision that has one of its own, as a server of OpenAI's API would send it.
#pragma once

#include <string>

#include "routing/request/chat_request.h"

namespace vsr::routing {

// A chat.completion; for a request that asks for a stream, server-sent events of chat.completion.chunk that end with
// [DONE], with usage before that where `stream_options.include_usage` says so. No model read or wrote any token.
std::string fast_response(const std::string& message, const ChatRequest& request);

}  // namespace vsr::routing
