#include "chat/answers/unread_text.h"

#include <algorithm>
#include <array>
#include <string>

#include "chat/answers/json_members.h"

namespace vsr::chat {
namespace {

// Members that say something about the answer, or quote what it is made of.
constexpr auto kAbout = std::to_array<std::string_view>({"annotation",
                                                         "annotations",
                                                         "citation",
                                                         "citations",
                                                         "cited_text",
                                                         "content_filter_results",
                                                         "error",
                                                         "finish_reason",
                                                         "id",
                                                         "incomplete_details",
                                                         "logprobs",
                                                         "metadata",
                                                         "model",
                                                         "native_finish_reason",
                                                         "object",
                                                         "page_age",
                                                         "prompt_logprobs",
                                                         "provider",
                                                         "signature",
                                                         "stop_details",
                                                         "stop_reason",
                                                         "stop_sequence",
                                                         "system_fingerprint",
                                                         "title",
                                                         "url",
                                                         "usage"});
// Output items of the Responses that the model writes; the others are calls of the server's own tools.
constexpr auto kWritten =
    std::to_array<std::string_view>({"message", "reasoning", "function_call", "custom_tool_call", "compaction"});

bool has_words(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == ' ' || byte == '\n' || byte >= 0x80;
  });
}

bool is_tool_result(const Node& object) { return text_or_empty(object, "type").ends_with("_tool_result"); }

class Walk {
 public:
  explicit Walk(std::span<const std::string_view> read) : read_(read) {}

  bool finds(const Node& value) const {
    if (value.is_string()) return is_unread(*value.get_ptr<const std::string*>());
    if (value.is_array()) return std::any_of(value.begin(), value.end(), [&](const Node& each) { return finds(each); });
    if (!value.is_object() || is_tool_result(value)) return false;
    return std::any_of(value.items().begin(), value.items().end(),
                       [&](const auto& member) { return finds_in(member.key(), member.value()); });
  }
  // An output item, or a list of such.
  bool finds_in_output(const Node& item) const {
    if (item.is_array())
      return std::any_of(item.begin(), item.end(), [&](const Node& each) { return finds_in_output(each); });
    const std::string_view type = text_or_empty(item, "type");
    const bool written = type.empty() || std::find(kWritten.begin(), kWritten.end(), type) != kWritten.end();
    return written && finds(item);
  }

 private:
  bool finds_in(std::string_view name, const Node& value) const {
    if (std::find(kAbout.begin(), kAbout.end(), name) != kAbout.end()) return false;
    if (name == "input" && value.is_structured()) return false;  // of a tool: read as a whole, or said to be unread
    return finds(value);
  }
  bool is_unread(const std::string& text) const {
    return has_words(text) && std::find(read_.begin(), read_.end(), text) == read_.end();
  }

  std::span<const std::string_view> read_;
};

}  // namespace

bool holds_unread_text(const Node& data, std::span<const std::string_view> read) {
  const Walk walk(read);
  const Node* response = find_member(data, "response");
  const Node& whole = response != nullptr ? *response : data;
  if (const Node* choices = find_member(whole, "choices")) return walk.finds(*choices);
  if (const Node* output = find_array(whole, "output")) return walk.finds_in_output(*output);
  if (response != nullptr) return false;
  if (const Node* item = find_member(data, "item")) return walk.finds_in_output(*item);
  return walk.finds(data);
}

}  // namespace vsr::chat
