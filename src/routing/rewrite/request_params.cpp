#include <algorithm>

#include "routing/request/param_names.h"
#include "routing/request/request_members.h"
#include "routing/rewrite/request_edits.h"

namespace vsr::routing {
namespace {

bool is_blocked(const RequestParamsPlugin& params, std::string_view name) {
  const auto& blocked = params.blocked_params;
  return std::any_of(blocked.begin(), blocked.end(), [&](const std::string& each) { return same_param(name, each); });
}

void remove_fields(ObjectEdit& edit, const JsonNode& root, const RequestParamsPlugin& params,
                   std::vector<std::string>& notes) {
  constexpr size_t kMostNotes = 16;
  size_t removed = 0;
  for (const JsonNode& field : root.children()) {
    const bool blocked = is_blocked(params, field.key);
    if (!blocked && !(params.strip_unknown && !is_openai_param(field.key))) continue;
    edit.remove({std::string(field.key)});
    if (++removed <= kMostNotes) notes.push_back("removed " + shown(field.key) + (blocked ? ", blocked" : ", unknown"));
  }
  if (removed > kMostNotes) notes.push_back("removed " + std::to_string(removed - kMostNotes) + " fields more");
}

struct Cap {
  int64_t value;
  std::string reason;
};

void lower(std::optional<Cap>& cap, int64_t value, std::string reason) {
  if (!cap || value < cap->value) cap = Cap{value, std::move(reason)};
}

// The most tokens that the answer may have. A prompt that fills the window is left for the server to refuse.
std::optional<Cap> answer_cap(const RequestPlan& plan, std::vector<std::string>& notes) {
  std::optional<Cap> cap;
  if (plan.params.max_tokens_limit) lower(cap, *plan.params.max_tokens_limit, "the decision's limit");
  if (plan.context_window == 0 || plan.prompt_tokens == 0) return cap;
  const int64_t room = plan.context_window - plan.prompt_tokens;
  if (room > 0) {
    lower(cap, room, "the room in the context window");
  } else {
    notes.push_back("a prompt of about " + std::to_string(plan.prompt_tokens) + " tokens does not fit the window of " +
                    std::to_string(plan.context_window));
  }
  return cap;
}

void cap_field(ObjectEdit& edit, const std::string& name, const JsonNode& value, const Cap& cap,
               std::vector<std::string>& notes) {
  const int64_t asked = json_integer(value, name);
  if (asked >= 0 && asked <= cap.value) return;
  edit.set({name}, std::to_string(cap.value));
  notes.push_back(name + " is " + std::to_string(cap.value) + ", " + cap.reason + ", not " + shown(value.text));
}

// OpenAI's models that take an effort refuse the older spelling.
std::string spelling(const RequestPlan& plan) {
  using Type = ReasoningFamily::Type;
  if (!plan.reasoning || !plan.reasoning->openai) return "max_tokens";
  const Type type = plan.reasoning->family.type;
  const bool effort = type == Type::kReasoningEffort || type == Type::kTopLevelReasoningEffort;
  return effort ? "max_completion_tokens" : "max_tokens";
}

}  // namespace

void edit_params(ObjectEdit& edit, const JsonNode& root, const RequestPlan& plan, std::vector<std::string>& notes) {
  remove_fields(edit, root, plan.params, notes);

  const KnownMembers members(root, "", {"n", "max_tokens", "max_completion_tokens"});
  if (plan.params.max_n && members["n"] && !is_blocked(plan.params, "n"))
    cap_field(edit, "n", *members["n"], {*plan.params.max_n, "the decision's limit"}, notes);

  const std::optional<Cap> cap = answer_cap(plan, notes);
  bool given = false;
  for (const std::string name : {"max_tokens", "max_completion_tokens"}) {
    if (!members[name] || is_blocked(plan.params, name)) continue;
    given = true;
    if (cap) cap_field(edit, name, *members[name], *cap, notes);
  }
  if (given || !plan.params.max_tokens) return;
  const int64_t filled = std::min(*plan.params.max_tokens, cap ? cap->value : *plan.params.max_tokens);
  edit.set({spelling(plan)}, std::to_string(filled));
  notes.push_back(spelling(plan) + " is " + std::to_string(filled) + ", filled in");
}

}  // namespace vsr::routing
