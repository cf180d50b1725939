#include "routing/config/reader/config_plugins.h"

#include <set>

#include "base/ascii.h"
#include "base/http_field.h"
#include "base/suggestion.h"
#include "routing/cache/cache_codec.h"
#include "routing/config/reader/config_tools.h"
#include "routing/request/param_names.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

constexpr ValueRange kPositive{1, 9e15};

template <class T>
T& there(std::optional<T>& plugin) {
  if (!plugin) plugin.emplace();
  return *plugin;
}

void describe_system_prompt(Fields& fields, Plugins& plugins) {
  static constexpr Choice<bool> kModes[] = {{"replace", false}, {"insert", true}};
  SystemPromptPlugin& plugin = there(plugins.system_prompt);
  fields.enabled();
  fields.text("system_prompt", plugin.text, Presence::kRequired);
  fields.choice("mode", plugin.insert, kModes);
}

void describe_request_params(Fields& fields, Plugins& plugins) {
  RequestParamsPlugin& plugin = there(plugins.request_params);
  fields.enabled();
  fields.optional_integer("max_tokens_limit", plugin.max_tokens_limit, kPositive);
  fields.optional_integer("max_tokens", plugin.max_tokens, kPositive);
  fields.optional_integer("default_max_tokens", plugin.max_tokens, kPositive);  // what later versions call it
  fields.optional_integer("max_n", plugin.max_n, kPositive);
  fields.texts("blocked_params", plugin.blocked_params);
  fields.flag("strip_unknown", plugin.strip_unknown);
}

void describe_header(Fields& fields, HeaderMutationPlugin::Header& header) {
  fields.text("name", header.name, Presence::kRequired);
  fields.text("value", header.value);
}

void describe_header_mutation(Fields& fields, Plugins& plugins) {
  HeaderMutationPlugin& plugin = there(plugins.header_mutation);
  fields.enabled();
  fields.objects<HeaderMutationPlugin::Header>("add", plugin.add, describe_header);
  fields.objects<HeaderMutationPlugin::Header>("update", plugin.update, describe_header);
  fields.texts("delete", plugin.remove);
}

void check_header_name(const YamlNode& node) {
  const std::string name = node.as_string();
  if (!base::is_field_name(name)) node.fail("is \"" + name + "\", which is no name of a header (RFC 9110)");
}

void check_headers(const YamlNode& list) {
  for (const YamlNode& header : list.items()) {
    check_header_name(header.required("name"));
    const auto value = header.optional("value");
    if (value && !base::is_field_value(value->as_string())) {
      value->fail("holds a control character, which no header may (RFC 9110)");
    }
  }
}

void check_header_mutation(const YamlNode& configuration, ConfigNotes&) {
  for (const char* key : {"add", "update"}) {
    if (const auto list = configuration.optional(key)) check_headers(*list);
  }
  const auto removed = configuration.optional("delete");
  if (!removed) return;
  for (const YamlNode& name : removed->items()) check_header_name(name);
}

void check_blocked_param(const YamlNode& node, ConfigNotes& notes) {
  const std::string name = node.as_string();
  const std::string is = "is \"" + name + "\", ";
  if (!could_be_param(name)) node.fail(is + "expected the name of a parameter, a member of the request itself");
  if (same_param(name, "model") || same_param(name, "messages")) node.fail(is + "without which there is no request");
  if (is_param(name)) return;
  const std::string nearest = base::suggestion(name, params());
  if (!nearest.empty()) node.fail(is + "which is no parameter" + nearest);
  notes.warn(node.where(), "blocked_params names \"" + name + "\", which no server that vsr knows takes");
}

void check_request_params(const YamlNode& configuration, ConfigNotes& notes) {
  const auto blocked = configuration.optional("blocked_params");
  if (!blocked) return;
  for (const YamlNode& name : blocked->items()) check_blocked_param(name, notes);
}

void describe_response_cache(Fields& fields, Plugins& plugins) {
  ResponseCachePlugin& plugin = there(plugins.response_cache);
  fields.enabled();
  fields.optional_number("similarity_threshold", plugin.similarity_threshold, kUnit);
  fields.optional_integer("ttl_seconds", plugin.ttl_seconds, {0, kMaxTtlMs / 1000});
  fields.object("semantic", [&](Fields& semantic) {
    semantic.optional_number("similarity_threshold", plugin.similarity_threshold, kUnit);
  });
  static constexpr Choice<std::optional<bool>> kModes[] = {
      {"exact", false}, {"exact_then_semantic", true}, {"semantic", true}};
  fields.choice("mode", plugin.mode, kModes);
  // What else the form knows is wider than what vsr ever shares.
  static constexpr Choice<bool> kScopes[] = {{"user", true}, {"team", false}, {"tenant", false}, {"global", false}};
  fields.choice("scope", plugin.by_user, kScopes);
  fields.for_gateway("request_controls");  // which say whether it asks the router for the request at all
  fields.custom("personalized", "", [](const YamlNode&) {});
  fields.for_people("revision");  // every change of it begins a cache of its own, as any change of what decides does
}

void check_response_cache(const YamlNode& configuration, ConfigNotes& notes) {
  const auto personalized = configuration.optional("personalized");
  if (!personalized) return;
  const auto mode = personalized->optional("mode");
  if (!mode || mode->as_string() != "disabled")
    notes.not_run(*personalized, "the personalized mode of the response cache");
  personalized->mark_read();
}

// Who names the semantic cache, or says how similar questions must be, wants similar ones.
bool asks_for_similar(const ResponseCachePlugin& plugin, const std::string& name) {
  return plugin.mode.value_or(plugin.similarity_threshold.has_value() || name.starts_with("semantic"));
}

void describe_fast_response(Fields& fields, Plugins& plugins) {
  fields.enabled();
  fields.text("message", there(plugins.fast_response), Presence::kRequired);
}

void describe_replay(Fields& fields, Plugins& plugins) {
  constexpr std::string_view kWhole = "a body that is captured holds the tools, too";
  ReplayPlugin& replay = there(plugins.replay);
  auto records = static_cast<int64_t>(replay.max_records), bytes = static_cast<int64_t>(replay.max_body_bytes);
  fields.enabled();
  fields.integer("max_records", records, {1, 1e7});
  fields.flag("capture_request_body", replay.capture_request);
  fields.flag("capture_response_body", replay.capture_response);
  fields.integer("max_body_bytes", bytes, {0, 1e9});
  fields.replaced("max_tool_trace_bytes", kWhole);
  fields.replaced("max_tool_trace_steps", kWhole);
  replay.max_records = static_cast<size_t>(records);
  replay.max_body_bytes = static_cast<size_t>(bytes);
}

constexpr Choice<AnswerAction> kAnswerActions[] = {{"none", AnswerAction::kNone},
                                                   {"header", AnswerAction::kHeader},
                                                   {"body", AnswerAction::kBody},
                                                   {"block", AnswerAction::kBlock}};

void describe_settings(Fields& fields, AnswerGuardSettings& settings) {
  static constexpr Choice<std::optional<bool>> kOverloads[] = {{"open", false}, {"closed", true}};
  fields.enabled();
  fields.optional_flag("hold", settings.hold);
  fields.choice("on_overload", settings.fail_closed, kOverloads);
}

void describe_hallucination(Fields& fields, Plugins& plugins) {
  HallucinationPlugin& plugin = there(plugins.hallucination);
  describe_settings(fields, plugin);
  fields.flag("use_nli", plugin.use_nli);
  fields.choice("hallucination_action", plugin.action, kAnswerActions);
  fields.choice("unverified_factual_action", plugin.unverified_action, kAnswerActions);
  fields.flag("include_hallucination_details", plugin.include_details);
  fields.number("threshold", plugin.threshold, kUnit);
}

void describe_response_jailbreak(Fields& fields, Plugins& plugins) {
  ResponseJailbreakPlugin& plugin = there(plugins.response_jailbreak);
  describe_settings(fields, plugin);
  fields.choice("action", plugin.action, kAnswerActions);
  fields.optional_number("threshold", plugin.threshold, kUnit);
}

void describe_pii_mask(Fields& fields, Plugins& plugins) {
  PiiMaskPlugin& mask = there(plugins.pii_mask);
  fields.enabled();
  fields.texts("pii_types", mask.types);
  fields.number("threshold", mask.threshold, kUnit);
  fields.flag("fail_on_unknown", mask.fail_on_unknown);
}

ContextReads body_alone(const Plugins&) { return {}; }

ContextReads reads_of_header_mutation(const Plugins& plugins) {
  ContextReads reads;
  if (!plugins.header_mutation) return reads;
  for (const auto& header : plugins.header_mutation->add) reads.headers.insert(base::ascii_lower(header.name));
  return reads;
}

ContextReads reads_of_response_cache(const Plugins& plugins) {
  return {.user = plugins.response_cache && plugins.response_cache->by_user};
}

bool is_called(const PluginKind& kind, std::string_view name) {
  if (kind.type == name) return true;
  std::string_view names = kind.names;
  while (!names.empty()) {
    const size_t end = names.find(' ');
    if (names.substr(0, end) == name) return true;
    names = end == std::string_view::npos ? std::string_view() : names.substr(end + 1);
  }
  return false;
}

const PluginKind& find_kind(const YamlNode& type) {
  const std::string name = type.as_string();
  std::vector<std::string_view> known;
  for (const PluginKind& kind : plugin_kinds()) {
    if (is_called(kind, name)) return kind;
    known.push_back(kind.type);
  }
  type.fail("is \"" + name + "\", which is no plugin" + base::suggestion(name, known));
}

bool enabled(const std::optional<YamlNode>& configuration) {
  const auto flag = configuration ? configuration->optional("enabled") : std::nullopt;
  return !flag || flag->as_bool();
}

}  // namespace

const std::vector<PluginKind>& plugin_kinds() {
  static const std::vector<PluginKind> kinds = {
      {"system_prompt", "", describe_system_prompt, body_alone},
      {"request_params", "", describe_request_params, body_alone, check_request_params},
      {"header_mutation", "", describe_header_mutation, reads_of_header_mutation, check_header_mutation},
      {"response_cache", "semantic-cache semantic_cache response-cache", describe_response_cache,
       reads_of_response_cache, check_response_cache},
      {"fast_response", "", describe_fast_response, body_alone, nullptr, true},
      {"hallucination", "", describe_hallucination, body_alone},
      PluginKind("image_gen"),
      PluginKind("memory"),
      PluginKind("rag"),
      {"context_compression", "", describe_context_compression, body_alone, check_context_compression},
      {"pii_mask", "", describe_pii_mask, body_alone, nullptr, true},
      {"response_jailbreak", "", describe_response_jailbreak, body_alone, nullptr, true},
      {"router_replay", "", describe_replay, body_alone},
      {"tool_selection", "", describe_tool_selection, body_alone, check_tool_selection},
      {"tools", "", describe_tools, body_alone, check_tools, true},
  };
  return kinds;
}

ContextReads context_reads(const Plugins& plugins) {
  ContextReads all;
  for (const PluginKind& kind : plugin_kinds()) {
    if (kind.reads != nullptr) all.add(kind.reads(plugins));
  }
  return all;
}

Plugins read_plugins(const YamlNode& list, ConfigContext& context) {
  Plugins plugins;
  std::set<std::string_view> seen;
  bool cache_off = false;
  for (const YamlNode& node : list.items()) {
    node.allow_keys({"type", "configuration"});
    const PluginKind& kind = find_kind(node.required("type"));
    const auto configuration = node.optional("configuration");
    if (!enabled(configuration)) {
      cache_off = cache_off || kind.describe == describe_response_cache;
      if (configuration) configuration->mark_read();
      continue;
    }
    if (!seen.insert(kind.type).second) node.fail("is a second plugin " + std::string(kind.type));
    plugins.guards = plugins.guards || kind.guards;
    if (kind.describe == nullptr) {
      const std::string name = "plugin " + std::string(kind.type);
      context.notes.not_run(node, name, kind.guards ? ": requests of this decision are refused" : "");
      if (kind.guards) plugins.guard_not_run = node.where() + ": " + name;
      continue;
    }
    const YamlNode described = node.required("configuration");
    read_fields(described, context.notes, [&](Fields& fields) { kind.describe(fields, plugins); });
    if (kind.check != nullptr) kind.check(described, context.notes);
    if (kind.describe == describe_response_cache) {
      plugins.response_cache->semantic = asks_for_similar(*plugins.response_cache, node.required("type").as_string());
    }
  }
  // Whoever switches it off for a decision means vsr.cache, too.
  if (cache_off && !plugins.response_cache)
    plugins.response_cache = ResponseCachePlugin{.ttl_seconds = 0, .mode = false};
  return plugins;
}

}  // namespace vsr::routing
