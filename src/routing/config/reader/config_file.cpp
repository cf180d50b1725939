#include "routing/config/reader/config_file.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"
#include "base/yaml.h"
#include "routing/config/reader/config_decisions.h"
#include "routing/config/reader/config_global.h"
#include "routing/config/reader/config_models.h"
#include "routing/config/reader/config_projections.h"
#include "routing/config/reader/config_rules.h"
#include "routing/config/reader/config_signals.h"
#include "routing/config/reader/config_vsr.h"
#include "routing/config/reader/config_warnings.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;
using base::YamlNode;

// Keys of the form before v0.3, and where their content went.
constexpr std::pair<std::string_view, std::string_view> kFlatKeys[] = {
    {"vllm_endpoints", "providers.models[].backend_refs"},
    {"model_config", "routing.modelCards and providers.models"},
    {"provider_profiles", "providers.models[].backend_refs"},
    {"categories", "routing.signals.domains"},
    {"decisions", "routing.decisions"},
    {"signals", "routing.signals"},
    {"strategy", "routing.strategy"},
    {"keyword_rules", "routing.signals.keywords"},
    {"embedding_rules", "routing.signals.embeddings"},
    {"fact_check_rules", "routing.signals.fact_check"},
    {"user_feedback_rules", "routing.signals.user_feedbacks"},
    {"language_rules", "routing.signals.language"},
    {"context_rules", "routing.signals.context"},
    {"complexity_rules", "routing.signals.complexity"},
    {"role_bindings", "routing.signals.role_bindings"},
    {"default_model", "providers.defaults.default_model"},
    {"default_reasoning_effort", "providers.defaults.default_reasoning_effort"},
    {"reasoning_families", "providers.defaults.reasoning_families"},
    {"semantic_cache", "vsr.cache and a response_cache plugin of the decisions"},
    {"prompt_guard", "routing.signals.jailbreak, its model in vsr.models"},
    {"classifier", "vsr.models and vsr.tasks"},
    {"bert_model", "vsr.models"},
    {"embedding_models", "vsr.models"},
};

constexpr std::string_view kTopKeys[] = {"version", "listeners",   "providers", "routing",
                                         "global",  "entrypoints", "recipes",   "vsr"};

void refuse_flat_form(const YamlNode& root) {
  for (const auto& [key, value] : root.entries()) {
    for (const auto& [flat, now] : kFlatKeys) {
      if (key != flat) continue;
      fail(Status::kParse, value.where(), ": \"", key,
           "\" at the top is the flat form before v0.3, which is not read: write it as ", now,
           " (the canonical v0.3 form has routing: and providers: at the top)");
    }
  }
}

void check_version(const YamlNode& root) {
  const auto version = root.optional("version");
  if (version && version->as_string() != "v0.3") {
    version->fail_unsupported("version " + version->as_string() + " of the routing form, this vsr reads v0.3");
  }
}

// The form's YAML is UTF-8; yaml-cpp passes on what is not.
void check_utf8(std::string_view text, const std::string& path) {
  const base::CleanText clean(text);
  if (clean.replaced_bytes() == 0) return;
  size_t line = 1;
  size_t column = 1;
  while (!text.empty()) {
    const base::Decoded decoded = base::decode_utf8(text);
    if (!decoded.valid) fail(Status::kParse, path, ":", line, ":", column, ": is not UTF-8");
    const bool end = text.front() == '\n';
    line += end ? 1 : 0;
    column = end ? 1 : column + 1;
    text.remove_prefix(decoded.size);
  }
}

void read_routing(const YamlNode& routing, ConfigContext& context) {
  if (const auto strategy = routing.optional("strategy")) context.config.strategy = read_strategy(*strategy);
  const auto projections = routing.optional("projections");
  if (projections) declare_projections(*projections, context);
  const auto signals = routing.optional("signals");
  context.defines_signals = signals || projections;
  context.defines_domains = signals && signals->optional("domains");
  if (signals) read_signals(*signals, context);
  // These may name signals of any kind, and each other.
  if (signals) read_composers(*signals, context);
  if (projections) read_projections(*projections, context);
  check_cycles(routing, context);
  if (const auto decisions = routing.optional("decisions")) read_decisions(*decisions, context);
}

void keep_names(ConfigContext& context) {
  for (const SignalNames::Entry& entry : context.names.entries()) {
    context.config.signal_names.push_back(entry.ref);
    if (!entry.runs) context.config.not_run.push_back(entry.ref);
    context.config.places.emplace(entry.ref.key(), entry.used_at.empty() ? entry.where : entry.used_at);
  }
}

bool keeps_answers(const std::optional<ResponseCachePlugin>& plugin) { return plugin && plugin->ttl_seconds != 0; }

// All that one routing means: it, and what the file says of models and of the router.
void read_parts(const YamlNode& root, const std::optional<YamlNode>& routing, ConfigContext& context) {
  if (routing) routing->allow_keys({"strategy", "modelCards", "signals", "projections", "decisions"});
  auto cards = routing ? routing->optional("modelCards") : std::nullopt;
  const auto shared = root.optional("routing");
  if (!cards && shared) cards = shared->optional("modelCards");
  read_models(cards, root.optional("providers"), context);
  if (const auto global = root.optional("global")) read_global(*global, context);
  if (routing) read_routing(*routing, context);
  if (const auto own = root.optional("vsr")) read_vsr_part(*own, context);
}

void read_file(const YamlNode& root, ConfigContext& context) {
  refuse_flat_form(root);
  root.allow_keys({std::begin(kTopKeys), std::end(kTopKeys)});
  check_version(root);
  const auto routing = root.optional("routing");
  read_parts(root, routing, context);
  if (const auto listeners = root.optional("listeners")) context.notes.for_gateway(*listeners);
}

// What is known when everything is read.
void finish(const YamlNode& root, ConfigContext& context) {
  RouterConfig& config = context.config;
  const auto own = root.optional("vsr");
  if (!own || !own->optional("cache")) {
    const auto keeps = [](const Decision& d) { return keeps_answers(d.plugins.response_cache); };
    config.cache.enabled = std::any_of(config.decisions.begin(), config.decisions.end(), keeps);
  }
  // A plugin that says nothing of similar questions does as the whole cache.
  for (Decision& decision : config.decisions) {
    auto& plugin = decision.plugins.response_cache;
    if (plugin && !plugin->mode && config.cache.semantic.enabled) plugin->semantic = true;
  }
  keep_names(context);
  add_warnings(context);
}

void append_new(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  for (const std::string& line : more) {
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
}

// A name in a request stands for one routing.
void read_entrypoint(const YamlNode& node, ConfigContext& context) {
  std::vector<Recipe>& recipes = context.config.recipes;
  std::vector<std::string> names;
  std::string recipe;
  read_fields(node, context.notes, [&](Fields& fields) {
    fields.texts("model_names", names, Presence::kRequired);
    fields.text("recipe", recipe, Presence::kRequired);
    fields.description();
  });
  const auto found = std::find_if(recipes.begin(), recipes.end(), [&](const Recipe& r) { return r.name == recipe; });
  if (found == recipes.end() && recipe != "default") {
    node.required("recipe").fail("is \"" + recipe + "\", which is no recipe of this file");
  }
  size_t i = 0;
  for (const YamlNode& name : node.required("model_names").items()) {
    for (const Recipe& other : recipes) {
      const auto& taken = other.entrypoints;
      if (std::find(taken.begin(), taken.end(), names[i]) != taken.end()) {
        name.fail("is \"" + names[i] + "\", which enters the recipe " + other.name + " already");
      }
    }
    add_auto_name(name, context.config.catalog);
    if (found != recipes.end()) found->entrypoints.push_back(names[i]);
    ++i;
  }
}

void read_recipe(const YamlNode& root, const YamlNode& node, Recipe& recipe, ConfigContext& main) {
  auto config = std::make_shared<RouterConfig>();
  config->path = main.config.path;
  ConfigContext context{*config, ConfigNotes(main.notes.lenient(), {config->warnings, config->skipped,
                                                                    config->for_gateway, config->replaced})};
  read_parts(root, node.required("routing"), context);
  finish(root, context);
  for (const std::string& name : recipe.entrypoints) config->catalog.auto_names.push_back(name);
  RouterConfig& all = main.config;
  append_new(all.warnings, config->warnings);
  append_new(all.skipped, config->skipped);
  append_new(all.for_gateway, config->for_gateway);
  append_new(all.replaced, config->replaced);
  if (recipe.entrypoints.empty()) main.notes.warn(node.where(), "recipe \"" + recipe.name + "\" has no entrypoint");
  recipe.config = std::move(config);
}

void read_recipes(const YamlNode& root, ConfigContext& context) {
  constexpr size_t kMostRecipes = 100;
  const auto list = root.optional("recipes");
  std::vector<Recipe>& recipes = context.config.recipes;
  if (list) check_length(*list, kMostRecipes);
  for (const YamlNode& node : list ? list->items() : std::vector<YamlNode>{}) {
    Recipe& recipe = recipes.emplace_back();
    read_fields(node, context.notes, [&](Fields& fields) {
      fields.text("name", recipe.name, Presence::kRequired);
      fields.description();
      fields.custom(
          "routing", "", [](const YamlNode&) {}, Presence::kRequired);
    });
    const auto same = [&](const Recipe& other) { return &other != &recipe && other.name == recipe.name; };
    const bool taken = recipe.name == "default" || std::any_of(recipes.begin(), recipes.end(), same);
    if (taken) node.required("name").fail("is \"" + recipe.name + "\", which is taken");
  }
  if (const auto entrypoints = root.optional("entrypoints")) {
    check_length(*entrypoints, kMostAliases);
    for (const YamlNode& node : entrypoints->items()) read_entrypoint(node, context);
  }
  for (size_t i = 0; i < recipes.size(); ++i) read_recipe(root, list->items()[i], recipes[i], context);
}

// Nothing that is written is ignored: whatever no reader asked for is one more thing that is not run.
void refuse_unread(const YamlNode& root, ConfigContext& context) {
  for (const YamlNode& node : root.unread()) context.notes.not_run(node, "\"" + node.path() + "\"");
}

}  // namespace

RouterConfig parse_router_config(std::string_view text, const std::string& path, bool lenient) {
  RouterConfig config;
  config.path = path;
  check_utf8(text, path);
  const YamlNode root = base::parse_yaml(text, path);
  ConfigContext context{config,
                        ConfigNotes(lenient, {config.warnings, config.skipped, config.for_gateway, config.replaced})};
  read_file(root, context);
  finish(root, context);
  read_recipes(root, context);
  refuse_unread(root, context);
  return config;
}

RouterConfig load_router_config(const std::string& path, bool lenient) {
  const base::FileContents file(path);
  return parse_router_config(file.text(), path, lenient);
}

}  // namespace vsr::routing
