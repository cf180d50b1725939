#include "routing/rewrite/request_rewrite.h"

#include "routing/request/chat_request.h"
#include "routing/request/request_members.h"
#include "routing/rewrite/request_edits.h"

namespace vsr::routing {
namespace {

// Of a plain text, which comes in place of the content. `model` is there already, so that setting it later keeps it in
// front.
std::string chat_without_content(const RequestPlan& plan) {
  const std::string model = plan.model ? R"("model":)" + json_quoted(*plan.model) + "," : "";
  return "{" + model + R"("messages":[{"role":"user","content":""}]})";
}

Splice content_splice(const JsonNode& root, std::string_view text) {
  const JsonNode& content = *(*root.find("messages")->children().begin()).find("content");
  return {content.begin, content.end, json_quoted(text)};
}

// `content`: what the first message is to say, if it does not yet.
RewrittenRequest rewrite_chat(std::string_view body, const RequestPlan& plan, const std::string_view* content) {
  const RequestJson json(body);
  const KnownMembers unambiguous(json.root(), "", {"model", "messages"});
  RewrittenRequest rewritten;
  ObjectEdit edit(&json.root());
  edit_params(edit, json.root(), plan, rewritten.notes);
  if (plan.system_prompt) remove_body_prompts(edit, json.root(), *plan.system_prompt, rewritten.notes);
  if (plan.reasoning) edit_reasoning(edit, *plan.reasoning);
  if (plan.model) edit.set({"model"}, json_quoted(*plan.model));
  std::vector<Splice> splices = edit.splices();
  if (plan.system_prompt) edit_system_prompt(splices, json.root(), *plan.system_prompt);
  if (content != nullptr) splices.push_back(content_splice(json.root(), *content));
  rewritten.body = apply_splices(body, std::move(splices));
  return rewritten;
}

}  // namespace

RewrittenRequest rewrite_request(std::string_view body, const RequestPlan& plan) {
  RewrittenRequest rewritten =
      is_json_request(body) ? rewrite_chat(body, plan, nullptr) : rewrite_chat(chat_without_content(plan), plan, &body);
  // Messages are shortened in a body of their own, so that no two edits meet in one.
  if (plan.compression) rewritten.body = compress_context(rewritten.body, *plan.compression, rewritten.notes);
  if (plan.tools) rewritten.body = edit_tools(rewritten.body, *plan.tools, rewritten.notes);
  return rewritten;
}

}  // namespace vsr::routing
