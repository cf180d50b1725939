// Signals read off a request's shape and its sender, without looking at what the text says.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "routing/config/signal_rules.h"
#include "routing/request/chat_request.h"
#include "routing/request/context_view.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// Whether a count of tokens lies in a rule's range, both ends included. The value is the count, confidence 1 or 0.
SignalValue evaluate_context(const ContextRule& rule, int64_t tokens);

// Counts of what a conversation consists of. Sources:
//   message               messages, of `role` when one is given; "non_user" is every role but user
//   tool_definition       tools that the request offers
//   assistant_tool_call   calls that the assistant made
//   assistant_tool_cycle  calls, of one message, that at least one result answered
//   active_tool_loop      1 when the request ends with a tool's result, so that the assistant goes on working
//   image_content         parts of messages that are not text
// The value is the count, or for `exists` 1 or 0; without a predicate more than 0 matches. Immutable.
class ConversationSignal {
 public:
  // Throws kInvalidArgument naming the rule for an unknown source.
  explicit ConversationSignal(const ConversationRule& rule);
  SignalValue evaluate(const ChatRequest& request) const;

 private:
  ConversationRule rule_;
  std::function<size_t(const ChatRequest&)> count_;
};

// What metadata says under the rule's key: the gateway's own first, then the header of that name (in any case), then
// the body's, which the client writes; the detail tells what was said otherwise. All of equals, in and exists that the
// rule gives must hold; `equals` and `in` fail for an absent key.
SignalValue evaluate_metadata(const MetadataRule& rule, const ChatRequest& request, const ContextView& context);
ContextReads context_reads(const MetadataRule& rule);

// Whether the sender has a role by one of the bindings that grant it: by user or group as the gateway, not the body,
// names them. Names compare exactly; an empty name is nobody's. Without a sender nobody has a role.
SignalValue evaluate_role(std::span<const RoleRule> bindings, const std::string& role, const ContextView& context);
ContextReads context_reads(std::span<const RoleRule> bindings, const std::string& role);

}  // namespace vsr::routing
