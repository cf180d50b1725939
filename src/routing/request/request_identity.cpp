#include "routing/request/request_identity.h"

#include "base/blake2b.h"

namespace vsr::routing {
namespace {

using Kind = JsonNode::Kind;

const JsonNode& child_at(const JsonNode& array, size_t index) {
  auto child = array.children().begin();
  for (; index > 0; --index) ++child;
  return *child;
}

// nullptr when the value says nothing.
const JsonNode* last_text(const JsonNode* content) {
  if (content == nullptr || content->is(Kind::kString)) return content;
  const JsonNode* last = nullptr;
  for (const JsonNode& part : content->children()) {
    const JsonNode* text = part.is(Kind::kString) ? &part : part.find("text");
    if (text != nullptr && text->is(Kind::kString)) last = text;
  }
  return last;
}

// Nodes are in document order and containers say how many follow, so nothing but the same tree gives the same bytes.
// Numbers count as they are spelt.
std::string digest_without(const JsonNode& root, const JsonNode& question) {
  base::Blake2b digest;
  for (const JsonNode* node = &root; node != &root + root.nodes; ++node) {
    const bool leaf = !node->is(Kind::kObject) && !node->is(Kind::kArray);
    constexpr uint64_t kQuestion = 0xFF;
    digest.add_number(node == &question ? kQuestion : static_cast<uint64_t>(node->kind));
    digest.add_text(node->key);
    if (!leaf) digest.add_number(node->nodes);
    if (leaf && node != &question) digest.add_text(node->text);
  }
  return digest.finish();
}

}  // namespace

std::optional<RequestIdentity> identity_of(const ChatRequest& request, const RequestJson* json) {
  const auto last = request.last_user();
  if (!last || request.replaced_bytes > 0) return std::nullopt;
  if (json == nullptr) {
    const std::string& text = request.messages[*last].text;
    return text.empty() ? std::nullopt : std::optional(RequestIdentity{text, "plain text"});
  }
  const JsonNode& message = child_at(*json->root().find("messages"), *last);
  const JsonNode* question = last_text(message.find("content"));
  if (question == nullptr || question->text.empty()) return std::nullopt;
  return RequestIdentity{std::string(question->text), digest_without(json->root(), *question)};
}

}  // namespace vsr::routing
