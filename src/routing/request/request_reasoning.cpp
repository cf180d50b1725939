#include "routing/request/request_edits.h"

namespace vsr::routing {
namespace {

constexpr const char* kTemplate = "chat_template_kwargs";

JsonPath place_of(const ReasoningFamily& family, std::string_view otherwise) {
  return split_path(family.parameter.empty() ? otherwise : std::string_view(family.parameter));
}

JsonPath in_template(JsonPath path) {
  path.insert(path.begin(), kTemplate);
  return path;
}

// Whatever the client asked for, in any of the forms that servers know: two controls at once contradict each other.
void remove_client_fields(ObjectEdit& edit) {
  edit.remove({"reasoning_effort"});
  edit.remove({"reasoning", "effort"});
  edit.remove({"thinking"});
  edit.remove({kTemplate, "reasoning_effort"});
}

}  // namespace

void edit_reasoning(ObjectEdit& edit, const ReasoningEdit& reasoning) {
  using Type = ReasoningFamily::Type;
  const ReasoningFamily& family = reasoning.family;
  remove_client_fields(edit);
  switch (family.type) {
    case Type::kChatTemplateKwargs:
      edit.set(in_template(place_of(family, "enable_thinking")), reasoning.on ? "true" : "false");
      break;
    case Type::kReasoningEffort: {
      const JsonPath path = place_of(family, "reasoning_effort");
      edit.set(reasoning.openai ? path : in_template(path), json_quoted(reasoning.effort));
      break;
    }
    case Type::kTopLevelReasoningEffort:
      edit.set(place_of(family, "reasoning_effort"), json_quoted(reasoning.effort));
      break;
    case Type::kThinking:
      edit.set(place_of(family, "thinking"), reasoning.on ? R"({"type":"enabled"})" : R"({"type":"disabled"})");
      break;
  }
}

}  // namespace vsr::routing
