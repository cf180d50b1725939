// Every string of a chat body that a chat template can render, whatever its member is called: all are read but those
// that tables of names know as something else (ids, tags, settings, addresses and bytes of images and sounds).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "routing/request/chat_message.h"
#include "routing/request/request_json.h"

namespace vsr::routing {

// The text of one member of a message ("content", "tool_calls", "name", ...) or of the body ("tools[0]",
// "response_format", ...), its strings joined by line feeds.
struct TextPart {
  static constexpr size_t kOfBody = static_cast<size_t>(-1);

  size_t message = kOfBody;  // by number
  std::string member = {};
  std::string text = {};
  bool joined = false;  // another reading of texts that are there (joined_parts.h, tag_text.h)
};

// What was found while walking over a body.
struct RequestParts {
  std::vector<TextPart> texts;  // in the order of messages, those of the body last; not what a message says and no more
  // The first part that a model may read and no signal can, as an error's message; empty: none.
  std::string unreadable;
};

// Adds the parts of message `number`, whose role is known; fills its text, images and tool calls. Throws kParse.
void read_message_parts(const JsonNode& node, const std::string& path, size_t number, ChatMessage& message,
                        RequestParts& parts);
// Adds what is to be read in the text of a message beside itself.
void read_plain_parts(const ChatMessage& message, size_t number, RequestParts& parts);
// Adds the parts of the body outside `messages`.
void read_body_parts(const JsonNode& root, RequestParts& parts);

}  // namespace vsr::routing
