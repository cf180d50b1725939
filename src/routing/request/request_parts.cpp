#include "routing/request/request_parts.h"

#include <algorithm>
#include <array>

#include "base/checkpoint.h"
#include "base/error.h"
#include "routing/request/joined_parts.h"
#include "routing/request/name_table.h"
#include "routing/request/param_names.h"
#include "routing/request/request_members.h"
#include "routing/request/request_strings.h"
#include "routing/request/tag_text.h"

namespace vsr::routing {
namespace {

using base::Status;
using Kind = JsonNode::Kind;

constexpr auto kCallTypes = std::to_array<std::string_view>({"tool_use", "tool_call", "function_call"});
constexpr auto kRoles =
    std::to_array<std::string_view>({"system", "developer", "user", "assistant", "tool", "function"});

// Members of the body that no template sees.
constexpr auto kUnseen = std::to_array<std::string_view>(
    {"model", "messages", "user", "metadata", "stop", "stop_token_ids", "bad_words", "logit_bias", "stream_options"});
// Members of the body whose strings are names of choices.
constexpr auto kSettings = std::to_array<std::string_view>(
    {"audio", "cache_salt", "chat_template_content_format", "guided_decoding_backend", "include", "modalities",
     "prompt_cache_key", "prompt_cache_retention", "reasoning", "reasoning_effort", "request_id", "safety_identifier",
     "service_tier", "thinking", "tool_choice", "truncation", "verbosity"});

// Members of the body that bring a prompt as what the tokenizer or the first layer makes of it.
constexpr auto kTokenInputs = std::to_array<std::string_view>(
    {"input_embeds", "input_ids", "inputs_embeds", "prompt_embeds", "prompt_token_ids", "token_ids"});
constexpr std::string_view kAllowedTokens = "allowed_token_ids";  // of the answer

void note_unread(RequestParts& parts, const std::string& path, const std::string& what) {
  if (what.empty() || !parts.unreadable.empty()) return;
  parts.unreadable = "request: " + path + ": " + what + ", which no safety signal can read";
}

// The content of one message: what is said in it, and all there is to read in it.
class ContentReader {
 public:
  ContentReader(ChatMessage& message, RequestParts& parts) : message_(message), parts_(parts) {}

  // The text; empty when it is what is said.
  std::string read(const JsonNode& content, const std::string& path) {
    if (content.is(Kind::kString)) {
      message_.text = content.text;
      return {};
    }
    if (!content.is(Kind::kArray)) fail_json_type(content, path, "a string, an array of parts or null");
    size_t index = 0;
    base::Checkpoint checkpoint;
    for (const JsonNode& part : content.children()) {
      constexpr size_t kStepsPerPart = 256;
      checkpoint.add(kStepsPerPart);
      read_part(part, element_path(path, index++));
    }
    return all_ == message_.text ? std::string() : std::move(all_);
  }
  // What is read in its parts when nothing is between them.
  std::string joined() { return texts_.joined(said_.take()); }

 private:
  void read_part(const JsonNode& part, const std::string& path) {
    if (part.is(Kind::kString)) return say(part.text);
    if (!part.is(Kind::kObject)) fail_json_type(part, path, "an object");
    const KnownMembers members(part, path, {"type", "text", "refusal"});
    const std::string_view type = members.string("type");
    if (type == "text" && !members["text"]) base::fail(Status::kParse, "request: ", path, ".text is missing");
    const StringCollector::Counts before = texts_.counts();
    const PartKind kind = part_kind(part);
    for (const JsonNode& child : part.children()) {
      if (child.key == "text" || child.key == "refusal") {
        if (members[child.key]) say(members.string(child.key));
      } else {
        texts_.member(child, zone_of(kind));
      }
    }
    const bool has_text = texts_.counts().texts > before.texts;
    if (texts_.is_unread(part, before)) note_unread(parts_, path, without_text(type));
    note_unread(parts_, path, texts_.unread());
    if (contains(kCallTypes, type)) ++message_.tool_calls;
    if (kind == PartKind::kMedia ? !members["text"] : !has_text && kind == PartKind::kOther) ++message_.images;
  }

  // A text after the first in a message starts a line of its own.
  void say(std::string_view text) {
    texts_.add(text);
    said_.add(text);
    if (!first_) message_.text += '\n';
    message_.text += text;
    first_ = false;
  }

  ChatMessage& message_;
  RequestParts& parts_;
  std::string all_;
  StringCollector texts_{all_};
  JoinedParts said_;
  bool first_ = true;
};

void add_tags(RequestParts& parts, size_t message, const std::string& member, std::string_view text) {
  if (std::string read = read_tag_text(text); !read.empty())
    parts.texts.push_back({message, member + " (tags)", std::move(read), true});
}

void add(RequestParts& parts, size_t message, const std::string& member, std::string text) {
  if (text.empty()) return;
  parts.texts.push_back({message, member, std::move(text)});
  add_tags(parts, message, member, std::string(parts.texts.back().text));
}

void add_joined(RequestParts& parts, size_t message, const std::string& member, std::string text) {
  if (!text.empty()) parts.texts.push_back({message, member + " (joined)", std::move(text), true});
}

void read_content(const JsonNode& content, const std::string& path, size_t number, ChatMessage& message,
                  RequestParts& parts) {
  ContentReader reader(message, parts);
  std::string text = reader.read(content, path);
  message.says_all = text.empty();
  if (message.says_all) read_plain_parts(message, number, parts);
  add(parts, number, "content", std::move(text));
  add_joined(parts, number, "content", reader.joined());
}

// Tools, documents, ...: each is a text of its own.
bool is_list_of_objects(const JsonNode& member) {
  if (!member.is(Kind::kArray) || !is_tag(member.key) || is_part_list(member)) return false;
  for (const JsonNode& element : member.children()) {
    if (!element.is(Kind::kObject)) return false;
  }
  return true;
}

// Adds the texts of a member, or of an element of one.
void read_strings(const JsonNode& node, StringZone zone, const TextPart& place, const std::string& path,
                  RequestParts& parts) {
  std::string text;
  StringCollector strings(text);
  if (node.key.empty()) {
    strings.walk(node, zone);
  } else if (place.message == TextPart::kOfBody && is_tag(node.key)) {
    strings.value(node, zone);  // templates see no names of the body's own members
  } else {
    strings.member(node, zone);
  }
  note_unread(parts, path, strings.unread());
  add(parts, place.message, place.member, std::move(text));
  add_joined(parts, place.message, place.member, strings.joined());
}

// A program of the client's: it can write what is nowhere in the body, and leave out what is.
void note_templates(const JsonNode& object, std::string_view within, RequestParts& parts) {
  constexpr std::string_view kTemplate = "chat_template";
  for (const JsonNode& child : object.children()) {
    if (!child.is(Kind::kNull) && same_param(child.key, kTemplate))
      note_unread(parts, std::string(within) + shown(child.key), "a template of the client's own");
  }
}

bool holds_numbers(const JsonNode& node) {
  if (!node.is(Kind::kArray) || node.children().empty()) return false;
  const JsonNode& first = *node.children().begin();
  return first.is(Kind::kNumber) || holds_numbers(first);
}

void note_tokens(const JsonNode& member, const std::string& name, RequestParts& parts) {
  if (member.is(Kind::kNull) || member.key == kAllowedTokens) return;
  const bool known = std::any_of(kTokenInputs.begin(), kTokenInputs.end(),
                                 [&](std::string_view each) { return same_param(member.key, each); });
  if (known || holds_numbers(member)) note_unread(parts, name, "tokens or vectors in place of a text");
}

}  // namespace

void read_plain_parts(const ChatMessage& message, size_t number, RequestParts& parts) {
  add_tags(parts, number, "content", message.text);
}

void read_message_parts(const JsonNode& node, const std::string& path, size_t number, ChatMessage& message,
                        RequestParts& parts) {
  const KnownMembers members(node, path, {"role", "content", "tool_calls", "function_call"});
  // Templates print roles that they do not know.
  if (!contains(kRoles, message.role)) add(parts, number, "role", message.role);
  message.tool_calls += count_children(members.array("tool_calls"));
  if (members.object("function_call")) ++message.tool_calls;
  for (const JsonNode& child : node.children()) {
    if (child.key == "role") continue;
    if (child.key == "content") {
      if (!child.is(Kind::kNull)) read_content(child, path + ".content", number, message, parts);
    } else {
      const std::string name = shown(child.key);
      read_strings(child, StringZone::kMembers, {number, name}, path + "." + name, parts);
    }
  }
}

void read_body_parts(const JsonNode& root, RequestParts& parts) {
  note_templates(root, "", parts);
  for (const JsonNode& child : root.children()) {
    if (same_param(child.key, "chat_template_kwargs")) note_templates(child, "chat_template_kwargs.", parts);
    if (contains(kUnseen, child.key) || child.is(Kind::kNumber)) continue;
    const std::string name = shown(child.key);
    note_tokens(child, name, parts);
    const StringZone zone = contains(kSettings, child.key) ? StringZone::kSettings : StringZone::kMembers;
    if (is_list_of_objects(child)) {
      size_t index = 0;
      for (const JsonNode& item : child.children()) {
        const std::string path = element_path(name, index++);
        read_strings(item, zone, {TextPart::kOfBody, path}, path, parts);
      }
    } else {
      read_strings(child, zone, {TextPart::kOfBody, name}, name, parts);
    }
  }
}

}  // namespace vsr::routing
