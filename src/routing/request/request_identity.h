// What tells one request's body from another's, for the response cache: all of it but the wording of its question.
#pragma once

#include <optional>
#include <string>

#include "routing/request/chat_request.h"
#include "routing/request/request_json.h"

namespace vsr::routing {

struct RequestIdentity {
  std::string question;  // the text of the last user turn; of several texts the last one
  std::string rest;      // a digest of everything else, as the one tree says that signals read too
};

// `json` is what `request` was read from; nullptr for a plain text. Nothing for a request without a question, and for
// one whose bytes were not all UTF-8: what was replaced differs and reads the same.
std::optional<RequestIdentity> identity_of(const ChatRequest& request, const RequestJson* json);

}  // namespace vsr::routing
