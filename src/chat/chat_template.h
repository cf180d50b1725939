// The template with which a checkpoint turns messages into a prompt.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "base/error.h"
#include "chat/jinja.h"

namespace vsr::chat {

struct ChatMessage {
  std::string role;     // "user", "assistant", "system"
  std::string content;  // well-formed UTF-8
};

class ChatTemplate {
 public:
  // chat_template.jinja, else "chat_template" of tokenizer_config.json; nothing when the folder has neither. What is
  // wrong with the template itself is an error of render(): a model without use for it loads.
  static std::optional<ChatTemplate> load(const std::string& folder);

  // As transformers' apply_chat_template() with add_generation_prompt. Throws what Template does.
  std::string render(const std::vector<ChatMessage>& messages, const base::CallLimits& limits) const;

 private:
  ChatTemplate(const std::string& folder, std::string_view source, const std::string& path);
  std::unique_ptr<const jinja::Template> template_;
  std::optional<base::Error> error_;
  jinja::Dict special_tokens_;
};

}  // namespace vsr::chat
