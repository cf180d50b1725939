#include "base/error.h"
#include "routing/request/request_edits.h"
#include "routing/request/request_members.h"

namespace vsr::routing {
namespace {

using Kind = JsonNode::Kind;

std::string text_part(const std::string& text) { return R"({"type":"text","text":)" + json_quoted(text) + "}"; }

// A quoted string without its closing quote or without both, to stand before other characters of a string.
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

std::string system_message(const std::string& prompt) {
  return R"({"role":"system","content":)" + json_quoted(prompt) + "}";
}

}  // namespace

void edit_system_prompt(std::vector<Splice>& splices, const JsonNode& root, const SystemPromptPlugin& prompt) {
  if (prompt.text.empty()) return;
  const KnownMembers body(root, "", {"messages"});
  const JsonNode* messages = body.array("messages");
  if (!messages) base::fail(base::Status::kParse, "request: messages is missing");
  if (messages->children().empty()) base::fail(base::Status::kParse, "request: messages is empty");
  const JsonNode& first = *messages->children().begin();
  if (!first.is(Kind::kObject)) fail_json_type(first, "messages[0]", "an object");
  const KnownMembers message(first, "messages[0]", {"role", "content"});
  const std::string_view role = message.string("role");
  if (role != "system" && role != "developer") {
    splices.push_back({messages->begin + 1, messages->begin + 1, system_message(prompt.text) + ","});
    return;
  }
  const JsonNode* content = message["content"];
  if (content && (content->is(Kind::kArray) || content->is(Kind::kString))) {
    if (prompt.insert) return insert_into(splices, *content, prompt.text);
    const std::string text = content->is(Kind::kArray) ? "[" + text_part(prompt.text) + "]" : json_quoted(prompt.text);
    splices.push_back({content->begin, content->end, text});
    return;
  }
  if (content) fail_json_type(*content, "messages[0].content", "a string, an array of parts or null");
  ObjectEdit edit(&first);
  edit.set({"content"}, json_quoted(prompt.text));
  for (Splice& splice : edit.splices()) splices.push_back(std::move(splice));
}

}  // namespace vsr::routing
