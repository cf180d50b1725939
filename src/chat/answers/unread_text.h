// Words in an answer that no reader of its format took: members that are newer than the reader.
#pragma once

#include <span>
#include <string_view>

#include "base/json.h"

namespace vsr::chat {

// Whether `data`, an event or body of a known format, holds a string with words that is none of `read`. Words have
// white space or characters beyond ASCII, which ids, types and base64 have not. What is no part of the answer is passed
// over: names of models, usage, log probabilities, sources that are quoted, results of the server's own tools.
bool holds_unread_text(const base::JsonValue::Node& data, std::span<const std::string_view> read);

}  // namespace vsr::chat
