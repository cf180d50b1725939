// A request's body rewritten for the chosen model. Only the values that the plan changes are spliced in; every other
// byte stays as the client sent it: spacing, order, spelling of numbers, escapes, unknown fields, bytes that are no
// UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "routing/rewrite/request_plan.h"

namespace vsr::routing {

struct RewrittenRequest {
  std::string body;
  std::vector<std::string> notes = {};  // for people: what was capped, filled, removed and why
};

// A plain text becomes a chat of one user message. Otherwise, in this order:
//   params     blocked and unknown fields go; `n` is capped; `max_tokens` and `max_completion_tokens`, whichever are
//              there, are capped by the limit and by the room that the prompt leaves in the context window; when
//              neither is, a `max_tokens` of the plan is filled in (spelt as the model's family takes it). A negative
//              value asks for no limit, and is capped too.
//   reasoning  the client's own fields go, the family's are written.
//   prompt     `replace` overwrites a leading system or developer message, all of it but its role, or prepends one, and
//              removes all others wherever they are; `insert` puts the text and a blank line before the old, unless it
//              is there already. Content that is an array stays one.
//   model      is set.
//   context    long results of tools are cut (request_compress.h).
//   tools      those that are not kept go, others are added (request_tools.h).
// An empty plan gives the same bytes, and rewriting a rewritten body with the same plan changes nothing. Throws what
// ChatRequest::parse() throws for a body that is no chat, and kInvalidArgument for a plan that would block `model` or
// `messages`.
RewrittenRequest rewrite_request(std::string_view body, const RequestPlan& plan);

}  // namespace vsr::routing
