// Events of OpenAI's Responses. A lane's choice is the index of its output item, its index that of the content part.
#pragma once

#include <memory>
#include <string_view>

#include "chat/answers/answer_format.h"

namespace vsr::chat {

bool is_responses_event(const Json& data, std::string_view type);
std::unique_ptr<AnswerFormat> make_responses_format();

// The texts of an output item at `place`.
void read_output_item(const Json& item, const std::string& place, int32_t output, std::vector<TextRepeat>& texts);

}  // namespace vsr::chat
