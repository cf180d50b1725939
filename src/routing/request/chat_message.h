// One message of a chat request.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vsr::routing {

struct ChatMessage {
  std::string role;       // system, developer, user, assistant, tool, ...
  std::string text;       // what is said: text parts, joined by line feeds; valid UTF-8
  size_t images = 0;      // parts that are not text: images, audio, files
  size_t tool_calls = 0;  // of an assistant
  bool tool_result = false;
  bool says_all = true;  // nothing else is to be read in its content than `text`
};

// Whether a role gives instructions: system or developer, in any case.
bool is_system_role(std::string_view role);

}  // namespace vsr::routing
