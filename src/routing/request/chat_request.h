// A request in OpenAI chat form, as far as routing reads it. What is not read here stays in the body, byte for byte.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/request/chat_message.h"
#include "routing/request/request_json.h"
#include "routing/request/request_parts.h"

namespace vsr::routing {

// Whether a body is to be read as JSON, by its first character.
bool is_json_request(std::string_view body);

struct ChatRequest {
  // Parses an OpenAI chat body; text that does not begin with `{` is taken as one user message (`plain`). Throws kParse
  // with the byte or the path ("messages[3].content is a number, expected ..."), kLimit for absurd sizes or nesting,
  // and kUnsupported for bodies of other APIs. A key that is read here and given twice, or once more in another case,
  // is an error: no signal may judge another text than the model gets.
  static ChatRequest parse(std::string_view body);
  // The two halves of parse(), for whoever reads more of the same tree.
  static ChatRequest read(const RequestJson& json);
  static ChatRequest of_text(std::string_view text);

  bool plain = false;
  std::string model = {};  // as the request names it; empty when absent
  std::vector<ChatMessage> messages = {};
  size_t tool_definitions = 0;
  bool stream = false;
  bool include_usage = false;                        // of a stream
  std::optional<int64_t> max_tokens = std::nullopt;  // either spelling; of both the smaller
  std::string user = {};
  std::map<std::string, std::string> metadata = {};
  size_t replaced_bytes = 0;  // bytes that were not UTF-8, or escapes of half a surrogate pair
  RequestParts parts = {};    // what a chat template can render besides the messages' texts

  // The message that is the last user turn, for every reader; nothing when there is none.
  std::optional<size_t> last_user() const;
  // The text that a scope means, each text once; turns are joined by line feeds. A role that is none of OpenAI's
  // counts as user.
  std::string text(TextScope scope) const;
  // What of it is read once more, without a line feed between text parts (joined_parts.h).
  std::string joints(TextScope scope) const;
  // The same, turn by turn; turns without text are left out. The views live as long as the request. The scopes of
  // safety signals give every part of a message by itself, also what joints() are of it, and throw kUnsupported where
  // one cannot be read.
  std::vector<std::string_view> turns(TextScope scope) const;

  // What a scope of safety signals means, and where it is: "messages[3].content", "tools[0]".
  struct Rendered {
    size_t message;  // or TextPart::kOfBody
    std::string_view member;
    std::string_view text;
    bool joined = false;  // of joints()
    std::string path() const;
  };
  std::vector<Rendered> rendered(TextScope scope) const;

 private:
  void check_readable() const;
};

}  // namespace vsr::routing
