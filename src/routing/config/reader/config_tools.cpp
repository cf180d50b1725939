#include "routing/config/reader/config_tools.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

constexpr ValueRange kCount{0, 1e9};
constexpr ValueRange kSimilarity{-1, 1};
constexpr std::string_view kNearness = "what is nearest to the question by name and description is chosen";

template <class T>
T& there(std::optional<T>& plugin) {
  if (!plugin) plugin.emplace();
  return *plugin;
}

void describe_advanced(Fields& fields, ToolNearness& nearness) {
  fields.texts("allow_tools", nearness.allow);
  fields.texts("block_tools", nearness.block);
  for (const char* key :
       {"enabled", "retrieval_strategy", "candidate_pool_size", "min_lexical_overlap", "min_combined_score", "weights",
        "use_category_filter", "category_confidence_threshold", "hybrid_history"}) {
    fields.replaced(key, kNearness);
  }
}

// A number, or `auto`, which leaves it absent.
void number_or_auto(Fields& fields, const char* key, std::optional<int64_t>& value) {
  fields.custom(key, "scalar", [key, &value](const YamlNode& node) {
    if (node.as_string() == "auto") return;
    const double given = node.as_number();
    if (!(given >= 1 && given <= 1e12)) node.fail("is " + node.as_string() + ", expected auto or at least 1");
    value = static_cast<int64_t>(given);
  });
}

void describe_preserved(Fields& targets, const char* key) {
  targets.object(key, [](Fields& target) {
    static constexpr Choice<bool> kModes[] = {{"preserve", false}};
    bool cut = false;
    target.choice("mode", cut, kModes);
  });
}

}  // namespace

void describe_tools(Fields& fields, Plugins& plugins) {
  using Mode = ToolsPlugin::Mode;
  static constexpr Choice<Mode> kModes[] = {
      {"passthrough", Mode::kPassthrough}, {"filtered", Mode::kFiltered}, {"none", Mode::kNone}};
  ToolsPlugin& tools = there(plugins.tools);
  fields.enabled();
  fields.choice("mode", tools.mode, kModes);
  fields.flag("semantic_selection", tools.by_question);
  fields.texts("allow_tools", tools.allow);
  fields.texts("block_tools", tools.block);
  fields.flag("strip_tool_history", tools.strip_history);
}

void check_tools(const YamlNode& configuration, ConfigNotes&) {
  const auto mode = configuration.optional("mode");
  if (mode && mode->as_string() == "filtered") return;
  for (const char* key : {"allow_tools", "block_tools"}) {
    const auto names = configuration.optional(key);
    if (names && !names->items().empty())
      names->fail("is given without \"mode: filtered\", and would let every tool by");
  }
}

void describe_tool_selection(Fields& fields, Plugins& plugins) {
  static constexpr Choice<bool> kModes[] = {{"filter", false}, {"add", true}};
  static constexpr Choice<int> kStrategies[] = {{"default", 0}};
  ToolSelectionPlugin& selection = there(plugins.tool_selection);
  ToolNearness& nearness = selection.nearness;
  int strategy = 0;
  fields.enabled();
  fields.choice("mode", selection.add, kModes, Presence::kRequired);
  fields.text("tools_db_path", selection.database);
  fields.integer("top_k", nearness.most, kCount);
  fields.number("similarity_threshold", nearness.least, kSimilarity);
  fields.number("relevance_threshold", nearness.least, kSimilarity);
  fields.integer("preserve_count", nearness.preserved, kCount);
  fields.flag("fallback_to_empty", nearness.none_if_far);
  fields.choice("strategy", strategy, kStrategies);
  fields.object("advanced_filtering", [&](Fields& advanced) { describe_advanced(advanced, nearness); });
}

void check_tool_selection(const YamlNode& configuration, ConfigNotes&) {
  const YamlNode mode = configuration.required("mode");
  const bool add = mode.as_string() == "add";
  if (add && !configuration.optional("tools_db_path")) mode.fail("is add, which needs a \"tools_db_path\"");
  for (const char* key : {"relevance_threshold", "preserve_count"}) {
    const auto value = configuration.optional(key);
    if (add && value) value->fail("is of \"mode: filter\", and the mode is add");
  }
  const auto database = configuration.optional("tools_db_path");
  if (!add && database) database->fail("is of \"mode: add\", and the mode is filter");
}

void describe_context_compression(Fields& fields, Plugins& plugins) {
  constexpr std::string_view kOwn = "vsr's compressor says which sentences stay (docs/compression.md)";
  static constexpr Choice<int> kModes[] = {{"auto", 0}};
  static constexpr Choice<bool> kTargets[] = {{"preserve", false}, {"extractive", true}};
  ContextCompressionPlugin& compression = there(plugins.context_compression);
  int mode = 0;
  fields.enabled();
  fields.choice("mode", mode, kModes);
  fields.object("budget", [&](Fields& budget) {
    number_or_auto(budget, "trigger_tokens", compression.trigger_tokens);
    number_or_auto(budget, "target_tokens", compression.target_tokens);
    number_or_auto(budget, "reserve_output_tokens", compression.reserve_tokens);
  });
  fields.object("targets", [&](Fields& targets) {
    targets.object("tool_outputs", [&](Fields& outputs) {
      outputs.choice("mode", compression.tool_outputs, kTargets);
      outputs.integer("min_tokens", compression.min_tokens, {1, 1e12});
      outputs.integer("target_tokens", compression.result_tokens, {1, 1e12});
    });
    for (const char* key : {"history", "rag", "memory"}) describe_preserved(targets, key);
  });
  fields.replaced("scoring", kOwn);
  fields.custom("recovery", "", [](const YamlNode&) {});
  fields.custom("request_controls", "", [](const YamlNode&) {});
  fields.replaced("failure_mode", "a compression of vsr fails only with the call, by its deadline");
}

// These two are off unless they say otherwise.
void check_context_compression(const YamlNode& configuration, ConfigNotes& notes) {
  for (const char* key : {"recovery", "request_controls"}) {
    const auto part = configuration.optional(key);
    if (!part) continue;
    const auto enabled = part->optional("enabled");
    if (enabled && enabled->as_bool()) notes.not_run(*part, std::string(key) + " of context_compression");
    part->mark_read();
  }
}

void read_tool_nearness(const YamlNode& node, ConfigContext& context) {
  ToolNearness& nearness = context.config.tools;
  read_fields(node, context.notes, [&](Fields& fields) {
    fields.enabled();
    fields.integer("top_k", nearness.most, kCount);
    fields.number("similarity_threshold", nearness.least, kSimilarity);
    fields.flag("fallback_to_empty", nearness.none_if_far);
    fields.replaced("tools_db_path",
                    "semantic_selection chooses among the request's own tools; a plugin tool_selection "
                    "of mode add has a database");
    fields.object("advanced_filtering", [&](Fields& advanced) { describe_advanced(advanced, nearness); });
  });
}

}  // namespace vsr::routing
