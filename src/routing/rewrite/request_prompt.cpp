#include <algorithm>
#include <array>

#include "base/error.h"
#include "routing/request/chat_request.h"
#include "routing/request/param_names.h"
#include "routing/request/request_members.h"
#include "routing/rewrite/request_edits.h"

namespace vsr::routing {
namespace {

using Kind = JsonNode::Kind;

std::string text_part(const std::string& text) { return R"({"type":"text","text":)" + json_quoted(text) + "}"; }

// A quoted string without its closing quote or without both, to be put before other characters of a string.
std::string characters(const std::string& text) {
  const std::string quoted = json_quoted(text);
  return quoted.substr(1, quoted.size() - 2);
}

bool begins_with(std::string_view old, const std::string& prompt) {
  return old == prompt || (old.starts_with(prompt) && old.substr(prompt.size()).starts_with("\n\n"));
}

// The string to insert before: the content itself, or the text of its first part. nullptr: neither is a text.
const JsonNode* first_text(const JsonNode& content) {
  if (content.is(Kind::kString)) return &content;
  if (!content.is(Kind::kArray) || content.children().empty()) return nullptr;
  const JsonNode& part = *content.children().begin();
  if (part.is(Kind::kString)) return &part;
  const JsonNode* text = part.find("text");
  return text && text->is(Kind::kString) ? text : nullptr;
}

void insert_into(std::vector<Splice>& splices, const JsonNode& content, const std::string& prompt) {
  if (const JsonNode* text = first_text(content)) {
    if (text->text.empty()) {
      splices.push_back({text->begin, text->end, json_quoted(prompt)});
    } else if (!begins_with(text->text, prompt)) {
      splices.push_back({text->begin + 1, text->begin + 1, characters(prompt + "\n\n")});
    }
    return;
  }
  const std::string comma = content.children().empty() ? "" : ",";
  splices.push_back({content.begin + 1, content.begin + 1, text_part(prompt) + comma});
}

bool is_prompt(const JsonNode& message, const std::string& path) {
  if (!message.is(Kind::kObject)) fail_json_type(message, path, "an object");
  return is_system_role(KnownMembers(message, path, {"role"}).string("role"));
}

// All system and developer messages but a leading one go, each with the comma before it.
void remove_later_prompts(std::vector<Splice>& splices, const JsonNode& messages) {
  size_t index = 0, end_before = 0;
  for (const JsonNode& message : messages.children()) {
    const bool prompt = is_prompt(message, "messages[" + std::to_string(index) + "]");
    if (prompt && index > 0) splices.push_back({end_before, message.end, ""});
    end_before = message.end;
    ++index;
  }
}

// Of a message whose content is replaced, what templates print beside it, such as its name.
void remove_others(ObjectEdit& edit, const JsonNode& message) {
  for (const JsonNode& member : message.children()) {
    if (member.key != "role" && member.key != "content") edit.remove({std::string(member.key)});
  }
}

std::string system_message(const std::string& prompt) {
  return R"({"role":"system","content":)" + json_quoted(prompt) + "}";
}

// Anthropic's messages, the Responses API, Gemini, Ollama.
constexpr auto kBodyPrompts = std::to_array<std::string_view>(
    {"system", "instructions", "system_instruction", "systemInstruction", "system_prompt", "developer"});

bool is_body_prompt(std::string_view name) {
  return std::any_of(kBodyPrompts.begin(), kBodyPrompts.end(), [&](auto each) { return same_param(name, each); });
}

}  // namespace

void remove_body_prompts(ObjectEdit& edit, const JsonNode& root, const SystemPromptPlugin& prompt,
                         std::vector<std::string>& notes) {
  if (prompt.insert || prompt.text.empty()) return;
  for (const JsonNode& member : root.children()) {
    if (!is_body_prompt(member.key)) continue;
    edit.remove({std::string(member.key)});
    notes.push_back("removed " + shown(member.key) + ", a system prompt beside the messages");
  }
}

void edit_system_prompt(std::vector<Splice>& splices, const JsonNode& root, const SystemPromptPlugin& prompt) {
  if (prompt.text.empty()) return;
  const KnownMembers body(root, "", {"messages"});
  const JsonNode* messages = body.array("messages");
  if (!messages) base::fail(base::Status::kParse, "request: messages is missing");
  if (messages->children().empty()) base::fail(base::Status::kParse, "request: messages is empty");
  if (!prompt.insert) remove_later_prompts(splices, *messages);
  const JsonNode& first = *messages->children().begin();
  if (!is_prompt(first, "messages[0]")) {
    splices.push_back({messages->begin + 1, messages->begin + 1, system_message(prompt.text) + ","});
    return;
  }
  const KnownMembers message(first, "messages[0]", {"role", "content"});
  const JsonNode* content = message["content"];
  const bool as_parts = content && content->is(Kind::kArray);
  if (content && !as_parts && !content->is(Kind::kString))
    fail_json_type(*content, "messages[0].content", "a string, an array of parts or null");
  if (content && prompt.insert) return insert_into(splices, *content, prompt.text);
  ObjectEdit edit(&first);
  edit.set({"content"}, as_parts ? "[" + text_part(prompt.text) + "]" : json_quoted(prompt.text));
  if (!prompt.insert) remove_others(edit, first);
  for (Splice& splice : edit.splices()) splices.push_back(std::move(splice));
}

}  // namespace vsr::routing
