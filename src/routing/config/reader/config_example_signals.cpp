#include <algorithm>

#include "base/suggestion.h"
#include "routing/config/reader/config_signals.h"

namespace vsr::routing {

using base::YamlNode;

void describe_rule(Fields& fields, ReaskRule& rule) {
  fields.named(rule.name);
  fields.number("threshold", rule.threshold, {-1, 1});
  fields.integer("lookback_turns", rule.lookback_turns, {0, 16});
}

bool finish_rule(const YamlNode& node, ReaskRule& rule, ConfigContext& context) {
  if (rule.threshold == 0) rule.threshold = ReaskRule{}.threshold;  // as the form has it
  if (rule.lookback_turns == 0) rule.lookback_turns = ReaskRule{}.lookback_turns;
  context.names.add("reask", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, PreferenceRule& rule) {
  fields.text("name", rule.name, Presence::kRequired);
  fields.text("description", rule.description);
  fields.texts("examples", rule.examples);
  fields.number("threshold", rule.threshold, {-1, 1});
}

bool finish_rule(const YamlNode& node, PreferenceRule& rule, ConfigContext& context) {
  if (rule.examples.empty() && rule.description.empty()) node.fail("has neither \"examples\" nor a \"description\"");
  if (rule.threshold == 0) rule.threshold = PreferenceRule{}.threshold;
  context.names.add("preference", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, ModalityRule& rule) {
  static constexpr Choice<std::string_view> kNames[] = {{"AR", "AR"}, {"DIFFUSION", "DIFFUSION"}, {"BOTH", "BOTH"}};
  std::string_view name = rule.name;
  fields.choice("name", name, kNames, Presence::kRequired);
  rule.name = name;
  fields.description();
}

bool finish_rule(const YamlNode& node, ModalityRule& rule, ConfigContext& context) {
  context.names.add("modality", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, KbRule& rule) {
  static constexpr Choice<bool> kKinds[] = {{"label", false}, {"group", true}};
  static constexpr Choice<bool> kMatches[] = {{"best", true}, {"threshold", false}};
  fields.named(rule.name);
  fields.text("kb", rule.kb, Presence::kRequired);
  fields.object(
      "target",
      [&](Fields& target) {
        target.choice("kind", rule.group, kKinds, Presence::kRequired);
        target.text("value", rule.target, Presence::kRequired);
      },
      Presence::kRequired);
  fields.choice("match", rule.best, kMatches);
}

bool finish_rule(const YamlNode& node, KbRule& rule, ConfigContext& context) {
  const auto& bases = context.config.knowledge_bases;
  const auto base =
      std::find_if(bases.begin(), bases.end(), [&](const KnowledgeBase& each) { return each.name == rule.kb; });
  const YamlNode kb = node.required("kb");
  if (bases.empty()) {
    context.notes.warn(kb.where(), "knowledge base \"" + rule.kb + "\" is defined nowhere: requests that need it fail");
  } else if (base == bases.end()) {
    std::vector<std::string_view> known;
    for (const KnowledgeBase& each : bases) known.push_back(each.name);
    kb.fail("is \"" + rule.kb + "\", which global.model_catalog.kbs does not define" +
            base::suggestion(rule.kb, known));
  } else if (rule.group && base->groups.count(rule.target) == 0) {
    std::vector<std::string_view> known;
    for (const auto& [group, labels] : base->groups) known.push_back(group);
    node.required("target").required("value").fail("is \"" + rule.target + "\", which is no group of \"" + rule.kb +
                                                   "\"" + base::suggestion(rule.target, known));
  }
  context.names.add("kb", rule.name, node.where(), true);
  return true;
}

void describe_rule(Fields& fields, EventRule& rule) {
  fields.named(rule.name);
  fields.texts("event_types", rule.event_types);
  fields.texts("severities", rule.severities);
  fields.texts("action_codes", rule.action_codes);
  fields.flag("temporal", rule.temporal);
}

bool finish_rule(const YamlNode& node, EventRule& rule, ConfigContext& context) {
  if (rule.event_types.empty() && rule.severities.empty() && rule.action_codes.empty() && !rule.temporal) {
    node.fail("has none of event_types, severities, action_codes and temporal");
  }
  context.names.add("event", rule.name, node.where(), true);
  return true;
}

}  // namespace vsr::routing
