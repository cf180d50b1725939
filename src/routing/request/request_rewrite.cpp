#include "routing/request/request_rewrite.h"

#include "routing/request/chat_request.h"
#include "routing/request/request_edits.h"
#include "routing/request/request_members.h"

namespace vsr::routing {
namespace {

// `model` is there already, so that setting it later keeps it in front.
std::string minimal_chat(std::string_view text, const RequestPlan& plan) {
  const std::string model = plan.model ? R"("model":)" + json_quoted(*plan.model) + "," : "";
  std::string body = "{" + model + R"("messages":[{"role":"user","content":)";
  append_json_quoted(body, text);
  return body += "}]}";
}

RewrittenRequest rewrite_chat(std::string_view body, const RequestPlan& plan) {
  const RequestJson json(body);
  const KnownMembers unambiguous(json.root(), "", {"model", "messages"});
  RewrittenRequest rewritten;
  ObjectEdit edit(&json.root());
  edit_params(edit, json.root(), plan, rewritten.notes);
  if (plan.reasoning) edit_reasoning(edit, *plan.reasoning);
  if (plan.model) edit.set({"model"}, json_quoted(*plan.model));
  std::vector<Splice> splices = edit.splices();
  if (plan.system_prompt) edit_system_prompt(splices, json.root(), *plan.system_prompt);
  rewritten.body = apply_splices(body, std::move(splices));
  return rewritten;
}

}  // namespace

RewrittenRequest rewrite_request(std::string_view body, const RequestPlan& plan) {
  return is_json_request(body) ? rewrite_chat(body, plan) : rewrite_chat(minimal_chat(body, plan), plan);
}

}  // namespace vsr::routing
