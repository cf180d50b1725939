#include "routing/rewrite/request_compress.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "routing/compress/compress.h"
#include "routing/compress/token_estimate.h"
#include "routing/request/request_members.h"
#include "routing/rewrite/request_splice.h"

namespace vsr::routing {
namespace {

using Kind = JsonNode::Kind;

constexpr int64_t kReserved = 1024;

struct ToolText {
  const JsonNode* node;
  int64_t tokens;
};

// What the messages hold to read, and which of it tools said, in order.
class PromptTexts {
 public:
  explicit PromptTexts(const JsonNode& messages) {
    size_t index = 0;
    for (const JsonNode& message : messages.children()) {
      const std::string path = element_path("messages", index++);
      if (!message.is(Kind::kObject)) fail_json_type(message, path, "an object");
      const KnownMembers members(message, path, {"role", "content"});
      const std::string role = base::ascii_lower(members.string("role"));
      if (const JsonNode* content = members["content"]) add(*content, role == "tool" || role == "function", 0);
    }
  }
  int64_t tokens() const { return tokens_; }
  const std::vector<ToolText>& of_tools() const { return of_tools_; }

 private:
  // A content: a string, or parts that are strings, have a text, or hold parts themselves.
  void add(const JsonNode& content, bool of_tool, int depth) {
    constexpr int kMostDepth = 8;
    if (content.is(Kind::kString)) {
      const auto tokens = static_cast<int64_t>(estimate_tokens(content.text));
      tokens_ += tokens;
      if (of_tool) of_tools_.push_back({&content, tokens});
      return;
    }
    if (!content.is(Kind::kArray) || depth == kMostDepth) return;
    for (const JsonNode& part : content.children()) {
      if (part.is(Kind::kString)) {
        add(part, of_tool, depth + 1);
        continue;
      }
      const JsonNode* type = part.find("type");
      const bool result = of_tool || (type != nullptr && type->text == "tool_result");
      const JsonNode* text = part.find("text");
      if (text != nullptr && text->is(Kind::kString)) add(*text, result, depth + 1);
      if (const JsonNode* inside = part.find("content")) add(*inside, result, depth + 1);
    }
  }

  int64_t tokens_ = 0;
  std::vector<ToolText> of_tools_;
};

int64_t reserved_for_answer(const JsonNode& root, const ContextCompressionPlugin& plugin) {
  if (plugin.reserve_tokens) return *plugin.reserve_tokens;
  const KnownMembers members(root, "", {"max_tokens", "max_completion_tokens"});
  int64_t most = 0;
  for (const char* name : {"max_tokens", "max_completion_tokens"}) {
    if (members[name] != nullptr) most = std::max(most, json_integer(*members[name], name));
  }
  return most > 0 ? most : kReserved;
}

}  // namespace

std::string compress_context(std::string_view body, const CompressionPlan& plan, std::vector<std::string>& notes) {
  const ContextCompressionPlugin& plugin = plan.plugin;
  if (!plugin.tool_outputs) return std::string(body);
  const RequestJson json(body);
  const JsonNode* messages = KnownMembers(json.root(), "", {"messages"}).array("messages");
  if (messages == nullptr) return std::string(body);
  std::optional<int64_t> room;
  if (plan.context_window > 0) room = plan.context_window - reserved_for_answer(json.root(), plugin);
  const std::optional<int64_t> trigger = plugin.trigger_tokens ? plugin.trigger_tokens : room;
  const PromptTexts texts(*messages);
  int64_t tokens = texts.tokens();
  if (!trigger || tokens <= *trigger) return std::string(body);
  const int64_t target = plugin.target_tokens.value_or(*trigger);
  std::vector<Splice> splices;
  int64_t before = 0, after = 0;
  for (const ToolText& text : texts.of_tools()) {
    if (tokens <= target) break;
    if (text.tokens < plugin.min_tokens || text.tokens <= plugin.result_tokens) continue;
    const Compressed cut = compress(text.node->text, {.max_tokens = static_cast<size_t>(plugin.result_tokens)});
    const auto left = static_cast<int64_t>(cut.tokens_after);
    splices.push_back({text.node->begin, text.node->end, json_quoted(cut.text)});
    tokens -= text.tokens - left;
    before += text.tokens;
    after += left;
  }
  if (splices.empty()) return std::string(body);
  notes.push_back("results of tools: " + std::to_string(splices.size()) + " cut, from about " + std::to_string(before) +
                  " tokens to " + std::to_string(after));
  return apply_splices(body, std::move(splices));
}

}  // namespace vsr::routing
