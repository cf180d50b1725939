// A request in OpenAI chat form, as far as routing reads it. What is not read here stays in the body, byte for byte.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routing/signal_rules.h"

namespace vsr::routing {

struct ChatMessage {
  std::string role;       // system, developer, user, assistant, tool, ...
  std::string text;       // text parts, joined by line feeds; valid UTF-8
  size_t images = 0;      // parts that are not text
  size_t tool_calls = 0;  // of an assistant
  bool tool_result = false;
};

// Who asks, and what the gateway knows besides the body.
struct RequestContext {
  std::string user = {};
  std::vector<std::string> groups = {};
  std::map<std::string, std::string> headers = {};   // names in lower case
  std::map<std::string, std::string> metadata = {};  // added to the body's own `metadata`, and stronger
};

struct ChatRequest {
  // Parses an OpenAI chat body; text that does not begin with `{` is taken as one user message (`plain`). Throws kParse
  // with the byte or the path ("messages[3].content is a number, expected ...") and kLimit for absurd sizes or nesting.
  static ChatRequest parse(std::string_view body);

  bool plain = false;
  std::string model = {};  // as the request names it; empty when absent
  std::vector<ChatMessage> messages = {};
  size_t tool_definitions = 0;
  bool stream = false;
  std::optional<int64_t> max_tokens = std::nullopt;  // either spelling
  std::string user = {};
  std::map<std::string, std::string> metadata = {};
  size_t replaced_bytes = 0;  // bytes that were not UTF-8

  // The text that a scope stands for; turns are joined by line feeds.
  std::string text(TextScope scope) const;
  // The same, turn by turn.
  std::vector<std::string_view> turns(TextScope scope) const;
};

}  // namespace vsr::routing
