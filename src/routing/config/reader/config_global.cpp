#include "routing/config/reader/config_global.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "routing/config/reader/config_algorithm.h"
#include "routing/config/reader/config_knowledge.h"
#include "routing/config/reader/config_models.h"
#include "routing/config/reader/config_tools.h"

namespace vsr::routing {
namespace {

using base::YamlNode;

enum class Use {
  kRuns,      // read below
  kGateway,   // listed for it
  kReplaced,  // has no effect; `text` names what vsr has in its place
  kRefused,   // unless it is switched off; `text` says what it is
  kPeople,
};

struct GlobalKey {
  std::string_view path;  // below `global`
  Use use;
  std::string_view text = {};
};

constexpr std::string_view kModels = "vsr.models and vsr.signal_tasks name the models";
constexpr std::string_view kScores = "an embedding rule's aggregation_method says how candidates count";

constexpr GlobalKey kKeys[] = {
    {"router.config_source", Use::kGateway},
    {"router.strategy", Use::kRuns},
    {"router.auto_model_name", Use::kRuns},
    {"router.auto_model_names", Use::kRuns},
    {"router.include_config_models_in_list", Use::kGateway},
    {"router.clear_route_cache", Use::kGateway},
    {"router.streamed_body", Use::kGateway},
    {"router.skip_processing", Use::kGateway},
    {"router.model_selection", Use::kRuns},
    {"router.learning", Use::kGateway},
    {"services.api", Use::kGateway},
    {"services.response_api", Use::kGateway},
    {"services.observability", Use::kGateway},
    {"services.authz", Use::kGateway},
    {"services.ratelimit", Use::kGateway},
    {"services.management_api", Use::kGateway},
    {"services.startup_status", Use::kGateway},
    {"services.router_replay", Use::kGateway},
    {"stores.response_cache", Use::kRuns},
    {"stores.memory", Use::kRefused, "the store of memories"},
    {"stores.vector_store", Use::kRefused, "the vector store"},
    {"integrations.tools", Use::kRuns},
    {"integrations.looper", Use::kGateway},
    {"integrations.mcp", Use::kGateway},
    {"model_catalog.embeddings", Use::kReplaced, kModels},
    {"model_catalog.system", Use::kReplaced, kModels},
    {"model_catalog.external", Use::kGateway},
    {"model_catalog.kbs", Use::kRuns},
    {"model_catalog.modules.prompt_compression", Use::kReplaced, "vsr.compression says what long prompts become"},
    {"model_catalog.modules.prompt_guard.threshold", Use::kRuns},
    {"model_catalog.modules.prompt_guard.on_error", Use::kReplaced, "a safety signal that fails is an error"},
    {"model_catalog.modules.prompt_guard.positive_labels", Use::kReplaced, "vsr.tasks names unsafe_labels"},
    {"model_catalog.modules.prompt_guard", Use::kReplaced, kModels},
    {"model_catalog.modules.classifier.domain.threshold", Use::kRuns},
    {"model_catalog.modules.classifier.domain", Use::kReplaced, kModels},
    {"model_catalog.modules.classifier.mcp", Use::kReplaced, kModels},
    {"model_catalog.modules.classifier.pii.threshold", Use::kRuns},
    {"model_catalog.modules.classifier.pii", Use::kReplaced, kModels},
    {"model_catalog.modules.classifier.preference.prototype_scoring", Use::kReplaced, "the nearest example counts"},
    {"model_catalog.modules.classifier.preference", Use::kReplaced, kModels},
    {"model_catalog.modules.complexity.prototype_scoring", Use::kReplaced, "the nearest candidates count"},
    {"model_catalog.modules.hallucination_mitigation.fact_check.threshold", Use::kRuns},
    {"model_catalog.modules.hallucination_mitigation.fact_check", Use::kReplaced, kModels},
    {"model_catalog.modules.hallucination_mitigation", Use::kReplaced, "answers are checked by vsr's guard"},
    {"model_catalog.modules.feedback_detector.threshold", Use::kRuns},
    {"model_catalog.modules.feedback_detector", Use::kReplaced, kModels},
    {"model_catalog.modules.modality_detector", Use::kRuns},
};

bool is_switched_off(const YamlNode& node) {
  const auto enabled = node.is_map() ? node.optional("enabled") : std::nullopt;
  return enabled && !enabled->as_bool();
}

void apply(const GlobalKey& key, const YamlNode& node, ConfigContext& context) {
  switch (key.use) {
    case Use::kRuns:
      return;
    case Use::kGateway:
      return context.notes.for_gateway(node);
    case Use::kReplaced:
      return context.notes.replaced(node, key.text);
    case Use::kRefused:
      if (!is_switched_off(node)) context.notes.not_run(node, std::string(key.text));
      break;
    case Use::kPeople:
      break;
  }
  node.mark_read();
}

bool is_below(std::string_view path, std::string_view folder) {
  return folder.empty() || (path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '.');
}

// The table's keys one level below `folder`.
std::vector<std::string_view> keys_below(std::string_view folder) {
  std::vector<std::string_view> keys;
  for (const GlobalKey& key : kKeys) {
    if (!is_below(key.path, folder)) continue;
    std::string_view rest = key.path.substr(folder.empty() ? 0 : folder.size() + 1);
    rest = rest.substr(0, rest.find('.'));
    if (std::find(keys.begin(), keys.end(), rest) == keys.end()) keys.push_back(rest);
  }
  return keys;
}

void check_keys(const YamlNode& node, const std::vector<std::string_view>& known, ConfigContext& context) {
  try {
    node.allow_keys(known);
  } catch (const base::Error& error) {
    if (!context.notes.lenient()) throw;
    context.config.warnings.emplace_back(error.what());
  }
}

// What is said of `folder` itself holds for all below it of which nothing is said.
void apply_below(const YamlNode& node, const std::string& folder, const GlobalKey* otherwise, ConfigContext& context) {
  if (otherwise == nullptr) check_keys(node, keys_below(folder), context);
  for (const auto& [name, value] : node.entries()) {
    if (value.is_null()) continue;
    const std::string path = folder.empty() ? name : folder + "." + name;
    const auto exact =
        std::find_if(std::begin(kKeys), std::end(kKeys), [&](const auto& key) { return key.path == path; });
    const bool deeper = !keys_below(path).empty();
    const GlobalKey* said = exact != std::end(kKeys) ? &*exact : otherwise;
    if (said == nullptr && !deeper) {
      value.mark_read();  // check_keys() has spoken
    } else if (deeper) {
      apply_below(value, path, said, context);
    } else {
      apply(*said, value, context);
    }
  }
}

}  // namespace

void add_auto_name(const YamlNode& node, ModelCatalog& catalog) {
  const std::string name = node.as_string();
  if (name.empty()) node.fail("is empty");
  if (catalog.find(name) != nullptr) node.fail("is \"" + name + "\", which is a model's name too");
  auto& names = catalog.auto_names;
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

namespace {

void read_router(const YamlNode& router, ConfigContext& context) {
  if (const auto name = router.optional("auto_model_name")) add_auto_name(*name, context.config.catalog);
  if (const auto names = router.optional("auto_model_names")) {
    check_length(*names, kMostAliases);
    for (const YamlNode& name : names->items()) add_auto_name(name, context.config.catalog);
  }
  if (const auto strategy = router.optional("strategy")) context.config.strategy = read_strategy(*strategy);
}

std::optional<YamlNode> find(const YamlNode& from, std::string_view path) {
  std::optional<YamlNode> node = from;
  while (node && !path.empty()) {
    const size_t end = path.find('.');
    node = node->optional(std::string(path.substr(0, end)));
    path = end == std::string_view::npos ? std::string_view() : path.substr(end + 1);
  }
  return node;
}

void read_threshold(const YamlNode& modules, const char* module, std::optional<double>& threshold) {
  const auto node = find(modules, module);
  const auto given = node ? node->optional("threshold") : std::nullopt;
  if (!given) return;
  threshold = given->as_number();
  if (*threshold < 0 || *threshold > 1) given->fail("is " + given->as_string() + ", expected 0 to 1");
}

void read_modules(const YamlNode& modules, ConfigContext& context) {
  SignalDefaults& defaults = context.defaults;
  read_threshold(modules, "prompt_guard", defaults.jailbreak);
  read_threshold(modules, "classifier.domain", defaults.domain);
  read_threshold(modules, "classifier.pii", defaults.pii);
  read_threshold(modules, "hallucination_mitigation.fact_check", defaults.fact_check);
  read_threshold(modules, "feedback_detector", defaults.user_feedback);
}

// Whether answers are kept is the decisions' to say; how, is said here unless vsr.cache says it.
void read_response_cache(const YamlNode& node, ConfigContext& context) {
  if (is_switched_off(node)) return node.mark_read();
  const auto backend = node.optional("backend_type");
  const std::string elsewhere = backend && backend->as_string() != "memory" ? backend->as_string() : "";
  if (!elsewhere.empty()) {
    context.notes.warn(backend->where(), "the response cache is kept in memory, not in " + elsewhere +
                                             ": other processes do not share it (hint: vsr.cache.redis)");
  }
  CacheConfig& cache = context.config.cache;
  read_fields(node, context.notes, [&](Fields& fields) {
    fields.enabled();
    if (elsewhere.empty()) {
      fields.for_people("backend_type");
    } else {
      for (const std::string_view key : {std::string_view("backend_type"), std::string_view(elsewhere)}) {
        fields.replaced(key, "the response cache is in memory, and in the Redis that vsr.cache names");
      }
    }
    int64_t entries = static_cast<int64_t>(cache.max_entries);
    fields.integer("max_entries", entries, {1, 1e9});
    cache.max_entries = static_cast<size_t>(entries);
    fields.integer("ttl_seconds", cache.ttl_seconds, {1, 1e9});
    fields.optional_number("similarity_threshold", cache.semantic.similarity_threshold, kUnit);
    fields.replaced("eviction_policy", "what was used least recently goes first");
    fields.replaced("embedding_model", kModels);
  });
}

}  // namespace

void read_global(const YamlNode& global, ConfigContext& context) {
  apply_below(global, "", nullptr, context);
  if (const auto router = global.optional("router")) read_router(*router, context);
  if (const auto modules = find(global, "model_catalog.modules")) read_modules(*modules, context);
  if (const auto bases = find(global, "model_catalog.kbs")) read_knowledge_bases(*bases, context);
  if (const auto selection = find(global, "router.model_selection")) read_model_selection(*selection, context);
  const auto tools = find(global, "integrations.tools");
  if (tools) is_switched_off(*tools) ? tools->mark_read() : read_tool_nearness(*tools, context);
  const auto detector = find(global, "model_catalog.modules.modality_detector");
  if (detector) is_switched_off(*detector) ? detector->mark_read() : read_modality_detector(*detector, context);
  if (const auto cache = find(global, "stores.response_cache")) read_response_cache(*cache, context);
}

}  // namespace vsr::routing
