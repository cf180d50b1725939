// Chunks of OpenAI's chat completions and completions, as its servers and those that copy them send.
#pragma once

#include <memory>
#include <string_view>

#include "chat/answers/answer_format.h"

namespace vsr::chat {

bool is_chat_chunk(const Json& data, std::string_view type);
std::unique_ptr<AnswerFormat> make_chat_format();
bool is_completion_chunk(const Json& data, std::string_view type);
std::unique_ptr<AnswerFormat> make_completion_format();

// The texts of a message or a delta at `place`.
void read_chat_message(const Json& message, const std::string& place, int32_t choice, std::vector<TextDelta>& deltas);

}  // namespace vsr::chat
