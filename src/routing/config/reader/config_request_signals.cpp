#include "routing/config/reader/config_signals.h"

namespace vsr::routing {

using base::YamlNode;

void describe_rule(Fields& fields, ConversationRule& rule) {
  using Feature = ConversationRule::Feature;
  static constexpr Choice<Feature> kFeatures[] = {{"count", Feature::kCount}, {"exists", Feature::kExists}};
  static constexpr Choice<std::string_view> kSources[] = {{"message", "message"},
                                                          {"tool_definition", "tool_definition"},
                                                          {"assistant_tool_call", "assistant_tool_call"},
                                                          {"assistant_tool_cycle", "assistant_tool_cycle"},
                                                          {"active_tool_loop", "active_tool_loop"},
                                                          {"image_content", "image_content"}};
  static constexpr Choice<std::string_view> kRoles[] = {{"user", "user"},     {"assistant", "assistant"},
                                                        {"system", "system"}, {"developer", "developer"},
                                                        {"tool", "tool"},     {"non_user", "non_user"}};
  fields.named(rule.name);
  fields.object(
      "feature",
      [&](Fields& feature) {
        feature.choice("type", rule.feature, kFeatures, Presence::kRequired);
        feature.object(
            "source",
            [&](Fields& source) {
              std::string_view type = rule.source;
              std::string_view role = rule.role;
              source.choice("type", type, kSources, Presence::kRequired);
              source.choice("role", role, kRoles);
              rule.source = type;
              rule.role = role;
            },
            Presence::kRequired);
      },
      Presence::kRequired);
  fields.object("predicate", [&](Fields& predicate) { describe_predicate(predicate, rule.predicate); });
}

bool finish_rule(const YamlNode& node, ConversationRule& rule, ConfigContext& context) {
  if (rule.feature == ConversationRule::Feature::kCount && rule.predicate.empty()) {
    node.fail("has no \"predicate\", which a count needs");
  }
  if (!rule.role.empty() && rule.source != "message") {
    node.required("feature").required("source").fail("has a \"role\", which only messages have");
  }
  if (never_holds(rule.predicate))
    context.notes.warn(node.where(), "the predicate of \"" + rule.name + "\" never holds");
  context.names.add("conversation", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, MetadataRule& rule) {
  fields.named(rule.name);
  fields.text("key", rule.key, Presence::kRequired);
  fields.object(
      "predicate",
      [&](Fields& predicate) {
        predicate.custom("equals", "scalar", [&](const YamlNode& node) { rule.equals = node.as_string(); });
        predicate.texts("in", rule.in);
        predicate.custom("exists", "boolean", [&](const YamlNode& node) { rule.exists = node.as_bool(); });
      },
      Presence::kRequired);
}

bool finish_rule(const YamlNode& node, MetadataRule& rule, ConfigContext& context) {
  const int given = (rule.equals ? 1 : 0) + (rule.in.empty() ? 0 : 1) + (rule.exists ? 1 : 0);
  if (given != 1) node.required("predicate").fail("needs exactly one of equals, in and exists");
  context.names.add("metadata", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, RoleRule& rule) {
  static constexpr Choice<bool> kKinds[] = {{"Group", true}, {"User", false}};
  fields.named(rule.name);
  fields.text("role", rule.role, Presence::kRequired);
  fields.objects<RoleRule::Subject>(
      "subjects", rule.subjects,
      [](Fields& subject, RoleRule::Subject& value) {
        subject.choice("kind", value.group, kKinds, Presence::kRequired);
        subject.text("name", value.name, Presence::kRequired);
      },
      Presence::kRequired);
}

bool finish_rule(const YamlNode& node, RoleRule& rule, ConfigContext& context) {
  if (rule.subjects.empty()) node.required("subjects").fail("is empty: nobody has the role");
  context.names.add("authz", rule.role, node.where(), true);
  return true;
}

}  // namespace vsr::routing
