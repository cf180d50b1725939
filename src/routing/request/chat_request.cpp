#include "routing/request/chat_request.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/utf8.h"
#include "facts/fold.h"
#include "routing/request/request_members.h"

namespace vsr::routing {
namespace {

using base::Status;
using Kind = JsonNode::Kind;

// Reading an object takes about as long as reading this many bytes.
constexpr size_t kStepsPerObject = 256;

ChatMessage read_message(const JsonNode& node, const std::string& path, size_t number, RequestParts& parts) {
  if (!node.is(Kind::kObject)) fail_json_type(node, path, "an object");
  const KnownMembers members(node, path, {"role"});
  if (!members["role"]) base::fail(Status::kParse, "request: ", path, ".role is missing");
  ChatMessage message;
  message.role = members.string("role");
  message.tool_result = message.role == "tool" || message.role == "function";
  read_message_parts(node, path, number, message, parts);
  return message;
}

[[noreturn]] void fail_without_messages(const JsonNode& root) {
  if (root.find("input"))
    base::fail(Status::kUnsupported, "request: input is of the Responses API, expected messages of a chat completion");
  if (root.find("prompt"))
    base::fail(Status::kUnsupported, "request: prompt is of a text completion, expected messages of a chat completion");
  base::fail(Status::kParse, "request: messages is missing");
}

std::vector<ChatMessage> read_messages(const JsonNode* messages, RequestParts& parts) {
  std::vector<ChatMessage> read;
  read.reserve(count_children(messages));
  base::Checkpoint checkpoint;
  for (const JsonNode& node : messages->children()) {
    checkpoint.add(kStepsPerObject);
    read.push_back(read_message(node, element_path("messages", read.size()), read.size(), parts));
  }
  if (read.empty()) base::fail(Status::kParse, "request: messages is empty, expected at least one");
  return read;
}

// Both spellings at once: the stricter one, since servers differ in which they heed.
std::optional<int64_t> read_max_tokens(const KnownMembers& members) {
  std::optional<int64_t> least;
  for (const std::string_view name : {"max_tokens", "max_completion_tokens"}) {
    if (!members[name]) continue;
    const int64_t value = json_integer(*members[name], members.path_of(name));
    least = std::min(value, least.value_or(value));
  }
  return least;
}

// OpenAI takes 16 entries, and knows some 40 fields.
void check_count(const JsonNode& object, std::string_view what) {
  constexpr size_t kMost = 4096;
  if (count_children(&object) > kMost)
    base::fail(Status::kLimit, "request: ", what, " has more than ", kMost, " members");
}

// Of a key given twice the last holds, as in most parsers. What is no string is kept as its JSON.
std::map<std::string, std::string> read_metadata(const JsonNode* object) {
  std::map<std::string, std::string> metadata;
  if (!object) return metadata;
  check_count(*object, "metadata");
  for (const JsonNode& value : object->children()) {
    if (!value.is(Kind::kNull)) metadata.insert_or_assign(std::string(value.key), std::string(value.text));
  }
  return metadata;
}

ChatRequest read_chat(const RequestJson& json) {
  check_count(json.root(), "the body");
  const KnownMembers members(json.root(), "",
                             {"model", "messages", "tools", "functions", "max_tokens", "max_completion_tokens",
                              "stream", "stream_options", "user", "metadata"});
  if (!members["messages"]) fail_without_messages(json.root());
  ChatRequest request;
  request.model = members.string("model");
  request.messages = read_messages(members.array("messages"), request.parts);
  read_body_parts(json.root(), request.parts);
  request.tool_definitions = count_children(members.array("tools")) + count_children(members.array("functions"));
  request.stream = members.boolean("stream");
  if (const JsonNode* options = members.object("stream_options")) {
    request.include_usage = KnownMembers(*options, "stream_options", {"include_usage"}).boolean("include_usage");
  }
  request.max_tokens = read_max_tokens(members);
  request.user = members.string("user");
  request.metadata = read_metadata(members.object("metadata"));
  request.replaced_bytes = json.replaced_bytes();
  return request;
}

ChatRequest plain_request(std::string_view text) {
  if (text.size() > RequestJson::kMaxBytes)
    base::fail(Status::kLimit, "request: ", text.size(), " bytes, expected at most ", RequestJson::kMaxBytes);
  const base::CleanText clean(text);
  ChatRequest request;
  request.plain = true;
  request.messages.push_back({.role = "user", .text = std::string(clean.view())});
  read_plain_parts(request.messages.back(), 0, request.parts);
  request.replaced_bytes = clean.replaced_bytes();
  return request;
}

// A role that nobody knows counts as the user's, so that no text escapes the signals that read the user's turns.
bool is_user(const ChatMessage& message) {
  const std::string& role = message.role;
  return role != "system" && role != "developer" && role != "assistant" && role != "tool" && role != "function";
}

bool is_assistant(const ChatMessage& message) { return message.role == "assistant"; }

// What an assistant said when it had nothing more to ask of tools.
bool is_answer(const ChatMessage& message) {
  return is_assistant(message) && message.tool_calls == 0 && !facts::is_blank(message.text);
}

// The first message after the last answer. An assistant's message at the end answers nothing: the model goes on with
// words that the client puts into its mouth.
size_t first_unanswered(const std::vector<ChatMessage>& messages) {
  size_t asked = messages.size();
  while (asked > 0 && (is_assistant(messages[asked - 1]) || is_system_role(messages[asked - 1].role))) --asked;
  for (size_t i = asked; i > 0; --i) {
    if (is_answer(messages[i - 1])) return i;
  }
  return 0;
}

bool is_safety_scope(TextScope scope) { return scope == TextScope::kUnanswered || scope == TextScope::kEverything; }

void append_line(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

}  // namespace

bool is_json_request(std::string_view body) {
  if (body.starts_with("\xEF\xBB\xBF")) body.remove_prefix(3);
  const size_t first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && body[first] == '{';
}

ChatRequest ChatRequest::parse(std::string_view body) {
  return is_json_request(body) ? read(RequestJson(body)) : of_text(body);
}

ChatRequest ChatRequest::read(const RequestJson& json) { return read_chat(json); }
ChatRequest ChatRequest::of_text(std::string_view text) { return plain_request(text); }

std::optional<size_t> ChatRequest::last_user() const {
  const auto last = std::find_if(messages.rbegin(), messages.rend(), is_user);
  if (last == messages.rend()) return std::nullopt;
  return static_cast<size_t>(messages.rend() - last) - 1;
}

std::vector<std::string_view> ChatRequest::turns(TextScope scope) const {
  std::vector<std::string_view> texts;
  if (is_safety_scope(scope)) {
    check_readable();
    for (const Rendered& part : rendered(scope)) texts.push_back(part.text);
    return texts;
  }
  const auto add = [&](const ChatMessage& message) {
    if (!message.text.empty()) texts.push_back(message.text);
  };
  if (scope == TextScope::kLastUser) {
    if (const auto last = last_user()) add(messages[*last]);
    return texts;
  }
  for (const ChatMessage& message : messages) {
    if (scope == TextScope::kHistory || is_user(message)) add(message);
  }
  return texts;
}

std::vector<ChatRequest::Rendered> ChatRequest::rendered(TextScope scope) const {
  const size_t first = scope == TextScope::kEverything ? 0 : first_unanswered(messages);
  std::vector<Rendered> read;
  auto part = parts.texts.begin();
  const auto take_parts = [&](size_t message, bool wanted) {
    for (; part != parts.texts.end() && part->message == message; ++part) {
      if (wanted) read.push_back({message, part->member, part->text, part->joined});
    }
  };
  for (size_t i = 0; i < messages.size(); ++i) {
    const bool wanted = i >= first || is_system_role(messages[i].role);
    if (wanted && messages[i].says_all && !messages[i].text.empty()) read.push_back({i, "content", messages[i].text});
    take_parts(i, wanted);
  }
  take_parts(TextPart::kOfBody, true);
  return read;
}

std::string ChatRequest::Rendered::path() const {
  const std::string name(member);
  return message == TextPart::kOfBody ? name : element_path("messages", message) + "." + name;
}

std::string ChatRequest::text(TextScope scope) const {
  std::string lines;
  if (!is_safety_scope(scope)) {
    for (const std::string_view turn : turns(scope)) append_line(lines, turn);
    return lines;
  }
  check_readable();
  for (const Rendered& part : rendered(scope)) {
    if (!part.joined) append_line(lines, part.text);
  }
  return lines;
}

std::string ChatRequest::joints(TextScope scope) const {
  std::string lines;
  if (!is_safety_scope(scope)) return lines;
  for (const Rendered& part : rendered(scope)) {
    if (part.joined) append_line(lines, part.text);
  }
  return lines;
}

void ChatRequest::check_readable() const {
  if (!parts.unreadable.empty()) base::fail(Status::kUnsupported, parts.unreadable);
}

}  // namespace vsr::routing
