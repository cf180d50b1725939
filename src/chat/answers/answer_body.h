// Answers that come whole, as one JSON object.
#pragma once

#include <vector>

#include "chat/answers/answer_format.h"

namespace vsr::chat {

// The texts of a chat completion, a completion, a Response or a message. False: it is none of these.
bool read_answer_body(const Json& body, std::vector<TextDelta>& texts);

// Has the body say that a filter stopped it, in its format's words.
void mark_filtered(Json& body);

}  // namespace vsr::chat
