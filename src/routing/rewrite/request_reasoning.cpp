#include "routing/rewrite/request_edits.h"

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
  edit.remove_any_case({"reasoning_effort"});
  edit.remove_any_case({"reasoning", "effort"});
  edit.remove_any_case({"thinking"});
  edit.remove_any_case({kTemplate, "reasoning_effort"});
}

// What the client calls the same in other letters goes.
void set_alone(ObjectEdit& edit, const JsonPath& path, std::string json) {
  edit.remove_any_case(path);
  edit.set(path, std::move(json));
}

}  // namespace

void edit_reasoning(ObjectEdit& edit, const ReasoningEdit& reasoning) {
  using Type = ReasoningFamily::Type;
  const ReasoningFamily& family = reasoning.family;
  remove_client_fields(edit);
  switch (family.type) {
    case Type::kChatTemplateKwargs:
      set_alone(edit, in_template(place_of(family, "enable_thinking")), reasoning.on ? "true" : "false");
      break;
    case Type::kReasoningEffort: {
      const JsonPath path = place_of(family, "reasoning_effort");
      set_alone(edit, reasoning.openai ? path : in_template(path), json_quoted(reasoning.effort));
      break;
    }
    case Type::kTopLevelReasoningEffort:
      set_alone(edit, place_of(family, "reasoning_effort"), json_quoted(reasoning.effort));
      break;
    case Type::kThinking:
      set_alone(edit, place_of(family, "thinking"), reasoning.on ? R"({"type":"enabled"})" : R"({"type":"disabled"})");
      break;
  }
}

}  // namespace vsr::routing
