// Chat requests: any bytes are a request or an error, JSON is what nlohmann takes for JSON too, and rewriting keeps a
// request a request.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/utf8.h"
#include "fuzz_target.h"
#include "routing/request/chat_request.h"
#include "routing/request/request_json.h"
#include "routing/rewrite/request_rewrite.h"

using namespace vsr;
using routing::ChatRequest;
using routing::ReasoningFamily;
using routing::RequestPlan;

namespace {

using Type = ReasoningFamily::Type;

std::vector<RequestPlan> plans() {
  RequestPlan full{.model = "m", .system_prompt = routing::SystemPromptPlugin{.text = "Be \"brief\".", .insert = true}};
  full.reasoning = routing::ReasoningEdit{.family = {Type::kChatTemplateKwargs, "enable_thinking"}, .on = true};
  full.params = {.max_tokens_limit = 100, .max_tokens = 50, .max_n = 2, .blocked_params = {"logprobs", "seed"}};
  RequestPlan strict{.model = "n", .system_prompt = routing::SystemPromptPlugin{.text = "New."}};
  strict.reasoning = routing::ReasoningEdit{.family = {Type::kReasoningEffort, "reasoning.effort"}, .effort = "low"};
  strict.params.strip_unknown = true;
  strict.context_window = 100;
  strict.prompt_tokens = 90;
  return {full, strict};
}

void check_texts(std::string_view body) {
  const ChatRequest request = ChatRequest::parse(body);
  fuzz::demand(!request.messages.empty(), "a request has messages");
  size_t bytes = 0;
  for (const std::string_view turn : request.turns(routing::TextScope::kHistory)) bytes += turn.size() + 1;
  fuzz::demand(request.text(routing::TextScope::kHistory).size() + 1 == std::max<size_t>(bytes, 1), "turns are joined");
  for (const routing::ChatMessage& message : request.messages)
    fuzz::demand(base::CleanText(message.text).replaced_bytes() == 0, "a message's text is UTF-8");
}

void check_rewriting(std::string_view body, const RequestPlan& plan) {
  fuzz::demand(!routing::is_json_request(body) || routing::rewrite_request(body, {}).body == body,
               "an empty plan changes nothing");
  const std::string rewritten = routing::rewrite_request(body, plan).body;
  fuzz::demand(routing::rewrite_request(rewritten, plan).body == rewritten, "rewriting twice is rewriting once");
  fuzz::demand(ChatRequest::parse(rewritten).model == plan.model, "the model is the plan's");
}

// The limits are ours alone; nlohmann alone refuses numbers beyond a double and takes a NUL for the end.
void compare_with_nlohmann(std::string_view body) {
  if (!routing::is_json_request(body)) return;
  const bool theirs = nlohmann::json::accept(body) && body.find('\0') == std::string_view::npos;
  try {
    const routing::RequestJson json(body);
    const bool huge = body.find("e9") != std::string_view::npos || body.find("E9") != std::string_view::npos;
    fuzz::demand(theirs || huge || json.replaced_bytes() > 0, "accepted, so JSON");
  } catch (const base::Error& error) {
    const bool mark = body.starts_with("\xEF\xBB\xBF");
    fuzz::demand(!theirs || mark || error.status() == base::Status::kLimit, "JSON, so accepted");
  }
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {
      R"({"model":"auto","messages":[{"role":"system","content":"old"},{"role":"user","content":"hi \u00e9\ud83d\ude42"}],)"
      R"("max_tokens":200,"n":3,"logprobs":true,"stream":false,"metadata":{"a":"b","c":1}})",
      R"({"messages":[{"role":"system","content":[{"type":"text","text":"old"}]},{"role":"user","content":[)"
      R"({"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"x"}}]},{"role":"assistant","content":null,)"
      R"("tool_calls":[{}]},{"role":"tool","content":"r"}],"tools":[{}],"reasoning":{"effort":"high"},"x":[1.5,[]]})",
      R"( { "chat_template_kwargs" : { "enable_thinking" : false } , "messages" : [ { "content" : "a" , "role" : "user" } ])"
      R"( , "reasoning_effort" : "low" , "seed" : -1.0e-2 , "thinking" : {} , "user" : "u" } )",
      "a plain text"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<RequestPlan> all = plans();
  const std::string_view body = fuzz::text_of(data, size);
  compare_with_nlohmann(body);
  fuzz::accept_errors([&] { check_texts(body); });
  for (const RequestPlan& plan : all) {
    fuzz::accept_errors([&] {
      static_cast<void>(ChatRequest::parse(body));  // rewriting checks only what it edits
      check_rewriting(body, plan);
    });
  }
  return 0;
}
