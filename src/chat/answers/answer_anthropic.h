// Events of Anthropic's messages. A lane's choice is the index of its content block.
#pragma once

#include <memory>
#include <string_view>

#include "chat/answers/answer_format.h"

namespace vsr::chat {

bool is_anthropic_event(const Json& data, std::string_view type);
std::unique_ptr<AnswerFormat> make_anthropic_format();

}  // namespace vsr::chat
