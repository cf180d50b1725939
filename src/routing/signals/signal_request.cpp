#include "routing/signals/signal_request.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/ascii.h"
#include "base/error.h"
#include "routing/request/request_members.h"

namespace vsr::routing {
namespace {

SignalValue yes_or_no(bool matched, double value, std::string detail = {}) {
  return {matched, matched ? 1.0 : 0.0, value, std::move(detail)};
}

template <class Field>
size_t sum(const ChatRequest& request, Field ChatMessage::*field) {
  return std::accumulate(request.messages.begin(), request.messages.end(), size_t{0},
                         [&](size_t total, const ChatMessage& message) { return total + message.*field; });
}

size_t count_messages(const ChatRequest& request, const std::string& role) {
  return static_cast<size_t>(
      std::count_if(request.messages.begin(), request.messages.end(), [&](const ChatMessage& message) {
        return role.empty() || (role == "non_user" ? message.role != "user" : message.role == role);
      }));
}

size_t count_tool_cycles(const ChatRequest& request) {
  size_t cycles = 0;
  bool called = false;
  for (const ChatMessage& message : request.messages) {
    if (message.tool_result && called) ++cycles;
    if (message.tool_result) called = false;
    if (message.tool_calls > 0) called = true;
  }
  return cycles;
}

size_t active_tool_loop(const ChatRequest& request) {
  // Instructions may be appended after a tool's result.
  const auto last = std::find_if(request.messages.rbegin(), request.messages.rend(), [](const ChatMessage& message) {
    return message.role != "system" && message.role != "developer";
  });
  return last != request.messages.rend() && last->tool_result ? 1 : 0;
}

std::function<size_t(const ChatRequest&)> counter(const ConversationRule& rule) {
  if (rule.source == "message") {
    return [role = rule.role](const ChatRequest& request) { return count_messages(request, role); };
  }
  if (rule.source == "tool_definition") return [](const ChatRequest& request) { return request.tool_definitions; };
  if (rule.source == "assistant_tool_call") {
    return [](const ChatRequest& request) { return sum(request, &ChatMessage::tool_calls); };
  }
  if (rule.source == "assistant_tool_cycle") return count_tool_cycles;
  if (rule.source == "active_tool_loop") return active_tool_loop;
  if (rule.source == "image_content") {
    return [](const ChatRequest& request) { return sum(request, &ChatMessage::images); };
  }
  base::fail(base::Status::kInvalidArgument, "conversation rule \"", rule.name, "\": source \"", rule.source,
             "\", expected message, tool_definition, assistant_tool_call, assistant_tool_cycle, active_tool_loop or "
             "image_content");
}

// A value of metadata, and who said it.
struct Metadata {
  const std::string* value = nullptr;  // null: nobody did
  std::string detail = {};             // for people, with what was said otherwise
};

// What the gateway says counts first, then a header, and last what the client wrote into the body.
Metadata find_metadata(const std::string& key, const ChatRequest& request, const ContextView& context) {
  const auto in_body = request.metadata.find(key);
  const std::pair<const std::string*, const char*> said[] = {
      {context.metadata(key), "the gateway"},
      {context.header(base::ascii_lower(key)), "a header"},
      {in_body == request.metadata.end() ? nullptr : &in_body->second, "the body"}};
  Metadata found;
  for (const auto& [value, who] : said) {
    if (value == nullptr) continue;
    if (found.value == nullptr) {
      found = {value, key + " = " + shown(*value)};
    } else if (*found.value != *value) {
      found.detail += std::string("; ") + who + " says \"" + shown(*value) + "\", which does not count";
    }
  }
  return found;
}

}  // namespace

SignalValue evaluate_context(const ContextRule& rule, int64_t tokens) {
  return yes_or_no(tokens >= rule.min_tokens && tokens <= rule.max_tokens, static_cast<double>(tokens));
}

ConversationSignal::ConversationSignal(const ConversationRule& rule) : rule_(rule), count_(counter(rule)) {}

SignalValue ConversationSignal::evaluate(const ChatRequest& request) const {
  double value = static_cast<double>(count_(request));
  if (rule_.feature == ConversationRule::Feature::kExists) value = std::min(value, 1.0);
  return yes_or_no(rule_.predicate.empty() ? value > 0 : rule_.predicate.holds(value), value);
}

ContextReads context_reads(const MetadataRule& rule) {
  return {.headers = {base::ascii_lower(rule.key)}, .metadata = {rule.key}};
}

SignalValue evaluate_metadata(const MetadataRule& rule, const ChatRequest& request, const ContextView& context) {
  const auto [value, detail] = find_metadata(rule.key, request, context);
  bool matched = !rule.exists || *rule.exists == (value != nullptr);
  if (rule.equals) matched = matched && value != nullptr && *value == *rule.equals;
  if (!rule.in.empty()) {
    matched = matched && value != nullptr && std::find(rule.in.begin(), rule.in.end(), *value) != rule.in.end();
  }
  // A rule that asks for nothing else asks for the key.
  if (!rule.equals && !rule.exists && rule.in.empty()) matched = value != nullptr;
  return yes_or_no(matched, value != nullptr ? 1 : 0, detail);
}

ContextReads context_reads(std::span<const RoleRule> bindings, const std::string& role) {
  ContextReads reads;
  for (const RoleRule& binding : bindings) {
    if (binding.role != role) continue;
    for (const RoleRule::Subject& subject : binding.subjects) (subject.group ? reads.groups : reads.user) = true;
  }
  return reads;
}

SignalValue evaluate_role(std::span<const RoleRule> bindings, const std::string& role, const ContextView& context) {
  for (const RoleRule& binding : bindings) {
    if (binding.role != role) continue;
    for (const RoleRule::Subject& subject : binding.subjects) {
      if (subject.name.empty()) continue;
      const auto among = [&](const std::vector<std::string>& groups) {
        return std::find(groups.begin(), groups.end(), subject.name) != groups.end();
      };
      const bool has = subject.group ? among(context.groups()) : context.user() == subject.name;
      if (has) return yes_or_no(true, 1, (subject.group ? "group " : "user ") + subject.name);
    }
  }
  return yes_or_no(false, 0);
}

}  // namespace vsr::routing
