#include "routing/request/request_strings.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "routing/request/joined_parts.h"
#include "routing/request/name_table.h"
#include "routing/request/request_members.h"
#include "routing/request/text_as_bytes.h"

namespace vsr::routing {
namespace {

using Kind = JsonNode::Kind;

// Types of parts that bring an image, a sound or a file.
constexpr auto kMediaTypes = std::to_array<std::string_view>(
    {"image_url", "input_image", "image", "image_embeds", "input_audio", "audio", "audio_url", "audio_embeds", "video",
     "video_url", "input_video", "file", "input_file"});
// Types of parts that may bring reasoning which only its author can decipher.
constexpr auto kReasoningTypes = std::to_array<std::string_view>({"thinking", "redacted_thinking", "reasoning"});

// Names of members whose values are ids or enumerations.
constexpr auto kTagNames = std::to_array<std::string_view>({"call_id", "detail", "file_id", "format", "id", "index",
                                                            "media_type", "mime_type", "object", "role", "status",
                                                            "strict", "tool_call_id", "tool_use_id", "ttl", "type"});

// Names of members that hold the address or the bytes of a medium, or what only its author can decipher.
constexpr auto kMediaNames = std::to_array<std::string_view>(
    {"audio", "audio_embeds", "audio_url", "data", "encrypted_content", "file_data", "file_url", "image",
     "image_embeds", "image_url", "input_audio", "signature", "url", "video", "video_url"});

// Members below which everything is text.
constexpr auto kFreeNames =
    std::to_array<std::string_view>({"arguments", "input", "inputSchema", "input_schema", "json", "output",
                                     "outputSchema", "output_schema", "parameters", "response", "schema"});

// Names of members that the forms of chats and tools have, besides those of the other tables.
constexpr auto kFormNames = std::to_array<std::string_view>({"additional_kwargs",
                                                             "allowed_callers",
                                                             "annotations",
                                                             "cache_control",
                                                             "citations",
                                                             "container",
                                                             "content",
                                                             "context",
                                                             "created",
                                                             "created_at",
                                                             "defer_loading",
                                                             "display_name",
                                                             "document",
                                                             "documents",
                                                             "enable_thinking",
                                                             "error",
                                                             "file",
                                                             "filename",
                                                             "function_call",
                                                             "functions",
                                                             "grammar",
                                                             "images",
                                                             "is_error",
                                                             "json_schema",
                                                             "logprobs",
                                                             "metadata",
                                                             "model",
                                                             "partial",
                                                             "prediction",
                                                             "prefix",
                                                             "reasoning",
                                                             "reasoning_content",
                                                             "reasoning_details",
                                                             "redacted_thinking",
                                                             "refusal",
                                                             "response_metadata",
                                                             "source",
                                                             "summary",
                                                             "text",
                                                             "thinking",
                                                             "timestamp",
                                                             "tool",
                                                             "tool_calls",
                                                             "tool_plan",
                                                             "tool_responses",
                                                             "tool_results",
                                                             "tools",
                                                             "usage",
                                                             "user",
                                                             "value",
                                                             "weight"});

// The words of JSON Schema, which say nothing of their own.
constexpr auto kSchemaNames =
    std::to_array<std::string_view>({"$defs",       "$ref",       "$schema",   "additionalProperties",
                                     "allOf",       "anyOf",      "const",     "default",
                                     "description", "enum",       "examples",  "format",
                                     "function",    "items",      "maxItems",  "maxLength",
                                     "maximum",     "minItems",   "minLength", "minimum",
                                     "name",        "nullable",   "oneOf",     "pattern",
                                     "properties",  "required",   "strict",    "title",
                                     "type",        "uniqueItems"});
constexpr auto kSchemaTypes =
    std::to_array<std::string_view>({"array", "boolean", "integer", "null", "number", "object", "string"});

// Words of which the forms make their ids and enumerations.
constexpr auto kTagWords = std::to_array<std::string_view>(
    {"application", "array",     "assistant", "audio",     "auto",        "base64",     "boolean",   "call",
     "chat",        "chatcmpl",  "citation",  "code",      "completed",   "completion", "computer",  "content",
     "custom",      "data",      "date",      "developer", "document",    "draft",      "email",     "embeds",
     "encrypted",   "ephemeral", "event",     "execution", "file",        "function",   "functions", "high",
     "image",       "in",        "input",     "integer",   "interpreter", "item",       "jpeg",      "json",
     "local",       "low",       "mcp",       "medium",    "message",     "msg",        "none",      "null",
     "number",      "object",    "output",    "part",      "pdf",         "plain",      "png",       "preview",
     "progress",    "reasoning", "redacted",  "reference", "refusal",     "required",   "response",  "result",
     "schema",      "search",    "server",    "shell",     "string",      "summary",    "system",    "text",
     "thinking",    "time",      "tool",      "toolu",     "uri",         "url",        "use",       "user",
     "uuid",        "video",     "web"});

std::string_view string_of(const JsonNode& object, std::string_view name) {
  const JsonNode* member = object.find(name);
  return member && member->is(Kind::kString) ? member->text : std::string_view();
}

// A name that says nothing of its own.
bool is_known(std::string_view name) {
  return name.empty() || contains(kTagNames, name) || contains(kMediaNames, name) || contains(kFreeNames, name) ||
         contains(kSchemaNames, name) || contains(kFormNames, name);
}

// A document that is named or encoded, and not written out.
bool is_encoded_document(const JsonNode& part) {
  const JsonNode* source = part.find("source");
  if (!source) return false;
  const std::string_view form = string_of(*source, "type");
  return form == "base64" || form == "url" || form == "file";
}

// Four digits of an escape \uXXXX; 0 when they are none.
char32_t escaped_unit(std::string_view text, size_t at) {
  uint32_t unit = 0;
  if (text.substr(std::min(at, text.size())).size() < 6 || text[at] != '\\' || text[at + 1] != 'u') return 0;
  const auto [end, error] = std::from_chars(text.data() + at + 2, text.data() + at + 6, unit, 16);
  return error == std::errc() && end == text.data() + at + 6 ? unit : 0;
}

// JSON as text, each escape as what it means, whether or not a parser would take the whole.
std::string without_escapes(std::string_view json) {
  std::string text;
  text.reserve(json.size());
  base::Checkpoint checkpoint;
  for (size_t i = 0; i < json.size(); ++i) {
    checkpoint(i);
    if (json[i] != '\\' || i + 1 == json.size()) {
      text += json[i];
    } else if (const char32_t unit = escaped_unit(json, i); unit != 0) {
      const char32_t low = unit >> 10 == 0x36 ? escaped_unit(json, i + 6) : 0;  // after the first half of a pair
      const bool pair = low >> 10 == 0x37;
      base::append_utf8(text, pair                 ? 0x10000 + ((unit & 0x3FF) << 10) + (low & 0x3FF)
                              : unit >> 11 == 0x1B ? base::kReplacement
                                                   : unit);
      i += pair ? 11 : 5;
    } else {
      const char c = json[++i];
      text += c == 'n' || c == 'r' || c == 't' ? ' ' : c;
    }
  }
  return text;
}

// Long whole numbers name accounts, cards and telephones. The digits, however the number is spelled (4111.0, 4.111e3);
// empty: it is not whole, or not long.
std::string long_number(std::string_view number) {
  constexpr size_t kShortest = 7, kLongest = 40;
  const bool negative = number.starts_with('-');
  const size_t end = std::min(number.size(), number.find_first_of("eE"));
  std::string digits(number.substr(negative, end - negative));
  const size_t dot = std::min(digits.size(), digits.find('.'));
  if (dot < digits.size()) digits.erase(dot, 1);
  int exponent = 0;
  std::string_view power = number.substr(std::min(number.size(), end + 1));
  if (power.starts_with('+')) power.remove_prefix(1);
  if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec == std::errc::result_out_of_range)
    return {};
  const auto whole = static_cast<int64_t>(dot) + exponent;
  if (whole < 1 || whole > static_cast<int64_t>(std::max(kLongest, dot))) return {};
  const auto size = static_cast<size_t>(whole);
  if (size < digits.size() && digits.find_first_not_of('0', size) != std::string::npos) return {};
  digits.resize(size, '0');
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.size() < kShortest) return {};
  return negative ? "-" + digits : digits;
}

// Token ids beside an empty text.
bool has_numbers(const JsonNode& part) {
  for (const JsonNode& child : part.children()) {
    if (child.is(Kind::kArray) && !child.children().empty() && (*child.children().begin()).is(Kind::kNumber))
      return true;
  }
  return false;
}

}  // namespace

PartKind part_kind(const JsonNode& part) {
  const std::string_view type = string_of(part, "type");
  if (contains(kReasoningTypes, type)) return PartKind::kReasoning;
  if (contains(kMediaTypes, type) || (type == "document" && is_encoded_document(part))) return PartKind::kMedia;
  return PartKind::kOther;
}

std::string without_text(std::string_view type) { return "a part of the type \"" + shown(type) + "\" without a text"; }

bool is_tag(std::string_view text) {
  constexpr size_t kLongest = 64;
  return text.size() <= kLongest && std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c <= '~'; });
}

bool is_plain_tag(std::string_view text) {
  constexpr size_t kMostWords = 1, kLongestWord = 20, kMostDigits = 8;
  if (!is_tag(text) || text.find('@') != text.npos) return false;
  size_t words = 0, digits = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    bool letters = true, numeric = true;
    for (; end < text.size() && base::is_ascii_alnum(text[end]); ++end) {
      const bool digit = base::is_ascii_digit(text[end]);
      letters = letters && !digit;
      numeric = numeric && digit;
    }
    const size_t size = end - at;
    digits = numeric ? digits + size : 0;
    if (letters && size > 1) words += !contains(kTagWords, base::ascii_lower(text.substr(at, size)));
    if (words > kMostWords || (letters && size > kLongestWord) || digits > kMostDigits) return false;
    at = end + 1;
  }
  return true;
}

void StringCollector::add(std::string_view text) {
  ++count_;
  if (!text.empty()) ++words_;
  append(text);
}

void StringCollector::append(std::string_view text) {
  if (!first_) out_ += '\n';
  first_ = false;
  out_ += text;
}

void StringCollector::walk(const JsonNode& node, StringZone zone) {
  constexpr size_t kStepsPerValue = 16;
  checkpoint_.add(kStepsPerValue);
  if (node.is(Kind::kString)) {
    if (zone != StringZone::kSettings || !is_plain_tag(node.text)) add(node.text);
  } else if (node.is(Kind::kNumber)) {
    if (zone == StringZone::kSettings) return;
    if (const std::string digits = long_number(node.text); !digits.empty()) add(digits);
  } else if (node.is(Kind::kArray)) {
    for (const JsonNode& element : node.children()) walk(element, zone);
  } else if (node.is(Kind::kObject)) {
    if (zone == StringZone::kMembers) zone = zone_of(part_kind(node));
    if (zone == StringZone::kMedia && brings_text_as_bytes(node)) note_bytes("data");
    for (const JsonNode& child : node.children()) member(child, zone);
  }
}

void StringCollector::member(const JsonNode& child, StringZone zone) {
  const bool names_itself = zone == StringZone::kFree && !contains(kSchemaNames, child.key);
  if (names_itself || !is_tag(child.key)) {
    add(child.key);
  } else if (zone != StringZone::kSettings && !is_known(child.key)) {
    append(child.key);
  }
  value(child, zone);
}

bool is_part_list(const JsonNode& member) {
  return member.is(Kind::kArray) && (member.key == "content" || member.key == "system");
}

void StringCollector::value(const JsonNode& child, StringZone zone) {
  const bool form = zone == StringZone::kMembers || zone == StringZone::kMedia;
  if (form && is_part_list(child)) return content(child);
  if (!child.is(Kind::kString)) {
    const bool free = zone == StringZone::kMembers && contains(kFreeNames, child.key);
    return walk(child, free ? StringZone::kFree : zone);
  }
  if (!is_text(child, zone)) return;
  add(child.text);
  // Servers hand a call's arguments to templates as JSON that they have parsed.
  if (child.key == "arguments" && child.text.find('\\') != std::string_view::npos) add(without_escapes(child.text));
}

// Parts inside a part, as a tool's result has them.
void StringCollector::content(const JsonNode& array) {
  JoinedParts said;
  for (const JsonNode& part : array.children()) {
    if (part.is(Kind::kString)) said.add(part.text);
    if (part.is(Kind::kObject)) said.add(string_of(part, "text"));
    const Counts before = counts();
    walk(part, StringZone::kMembers);
    if (unread_.empty() && is_unread(part, before)) unread_ = without_text(string_of(part, "type"));
  }
  joined_ = joined(said.take());
}

std::string StringCollector::joined(std::string before) {
  if (!before.empty() && !joined_.empty()) before += '\n';
  return std::move(before) + std::exchange(joined_, {});
}

bool StringCollector::is_unread(const JsonNode& part, const Counts& before) const {
  if (!part.is(Kind::kObject) || part_kind(part) != PartKind::kOther) return false;
  return count_ == before.texts || (words_ == before.words && has_numbers(part));
}

bool StringCollector::is_text(const JsonNode& child, StringZone zone) {
  if (zone == StringZone::kFree) return child.key != "type" || !contains(kSchemaTypes, child.text);
  if (contains(kTagNames, child.key) || zone == StringZone::kSettings) return !is_plain_tag(child.text);
  if (zone != StringZone::kMedia || !contains(kMediaNames, child.key)) return true;
  if (is_text_address(child.text)) note_bytes(child.key);
  return !is_address_or_base64(child.text);
}

void StringCollector::note_bytes(std::string_view name) {
  if (unread_.empty()) unread_ = "a text as bytes under \"" + std::string(name) + "\"";
}

}  // namespace vsr::routing
