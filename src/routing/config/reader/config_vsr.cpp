#include "routing/config/reader/config_vsr.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/suggestion.h"
#include "routing/cache/cache_codec.h"
#include "routing/cache/redis/redis_address.h"
#include "routing/config/signal_kind.h"

namespace vsr::routing {
namespace {

namespace fs = std::filesystem;
using base::YamlNode;

void read_signal_tasks(const YamlNode& node, RouterConfig& config) {
  node.allow_keys(task_kinds());
  for (const auto& [kind, task] : node.entries()) {
    if (task.is_null() || task.as_string().empty()) task.fail("is empty, expected the name of a task");
    config.tasks[kind] = task.as_string();
    if (kind == "modality") config.modality.classifier = true;
  }
}

void check_redis(const YamlNode& node, ConfigContext& context) {
  std::string& address = context.config.cache.redis;
  try {
    RedisAddress::parse(address);
  } catch (const base::Error& error) {
    if (error.status() != base::Status::kUnsupported) node.fail(std::string("is no address of Redis: ") + error.what());
    context.notes.not_run(node, "TLS to Redis (rediss://)", ": memory alone is used");
    address.clear();
  }
}

void check_snapshot(const YamlNode& node, const std::string& path, ConfigContext& context) {
  const std::string& config_path = context.config.path;
  std::error_code ignored;
  const bool another = fs::exists(path, ignored) && !fs::is_regular_file(path, ignored);
  if (another || path.find('\0') != std::string::npos) node.fail("is \"" + path + "\", expected a file");
  if (fs::equivalent(path, config_path, ignored)) node.fail("is \"" + path + "\", which is this file itself");
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, ignored)) {
    context.notes.warn(node.where(),
                       "the snapshot's folder " + folder.string() + " does not exist: it cannot be written");
  }
}

// In the order of Passthrough.
void read_passthrough(const YamlNode& node, RouterConfig& config) {
  const auto& names = passthrough_names();
  const auto name = std::find(names.begin(), names.end(), node.as_string());
  if (name == names.end()) {
    node.fail("is \"" + node.as_string() + "\", expected allow, check or refuse" +
              base::suggestion(node.as_string(), names));
  }
  config.passthrough = static_cast<Passthrough>(name - names.begin());
}

void read_cache(const YamlNode& node, ConfigContext& context) {
  CacheConfig& cache = context.config.cache;
  cache.enabled = true;
  const auto semantic = node.optional("semantic");
  cache.semantic.enabled = semantic || node.optional("threshold");
  read_fields(node, context.notes, [&](Fields& fields) { describe_cache(fields, cache); });
  if (!cache.redis.empty()) check_redis(node.required("redis"), context);
  if (semantic && node.optional("threshold")) {
    node.required("threshold").fail("is given beside \"semantic\", which has a similarity_threshold");
  }
  if (cache.snapshot.empty()) return;
  const auto folder = fs::path(context.config.path).parent_path();
  cache.snapshot = (folder / cache.snapshot).lexically_normal().string();
  check_snapshot(node.required("snapshot"), cache.snapshot, context);
}

}  // namespace

const std::vector<std::string_view>& task_kinds() {
  static const std::vector<std::string_view> kinds = [] {
    std::vector<std::string_view> tasks;
    for (const SignalKind& kind : kSignalKinds) {
      const bool known = std::find(tasks.begin(), tasks.end(), kind.task) != tasks.end();
      if (!kind.task.empty() && !known) tasks.push_back(kind.task);
    }
    for (const char* of_answers : {"nli", "response_jailbreak"}) tasks.push_back(of_answers);  // answer_guards.h
    return tasks;
  }();
  return kinds;
}

const std::vector<std::string_view>& passthrough_names() {
  static const std::vector<std::string_view> names = {"allow", "check", "refuse"};
  return names;
}

const std::vector<std::string_view>& vsr_keys() {
  static const std::vector<std::string_view> keys = {"models", "adapters",    "tasks",  "signal_tasks",
                                                     "cache",  "compression", "limits", "passthrough"};
  return keys;
}

namespace {

constexpr ValueRange kRate{1e-4, 0.5};

void describe_semantic(Fields& fields, SemanticHits& semantic) {
  fields.flag("enabled", semantic.enabled);
  fields.optional_number("similarity_threshold", semantic.similarity_threshold, kUnit);
  fields.text("same_question", semantic.same_question);
  fields.number("least_probability", semantic.least_probability, kUnit);
  fields.optional_number("max_error_rate", semantic.max_error_rate, kRate);
  fields.integer("seed", semantic.seed, {0, 9e15});
}

}  // namespace

void describe_cache(Fields& fields, CacheConfig& cache) {
  fields.flag("enabled", cache.enabled);
  fields.optional_number("threshold", cache.semantic.similarity_threshold, kUnit);
  fields.object("semantic", [&](Fields& semantic) { describe_semantic(semantic, cache.semantic); });
  int64_t entries = static_cast<int64_t>(cache.max_entries);
  fields.integer("max_entries", entries, {1, 1e9});
  cache.max_entries = static_cast<size_t>(entries);
  int64_t bytes = static_cast<int64_t>(cache.max_bytes);
  fields.integer("max_bytes", bytes, {1 << 20, 1e15});
  cache.max_bytes = static_cast<size_t>(bytes);
  fields.integer("ttl_seconds", cache.ttl_seconds, {1, kMaxTtlMs / 1000});
  fields.text("snapshot", cache.snapshot);
  fields.text("redis", cache.redis);
}

void describe_compression(Fields& fields, CompressionConfig& compression) {
  fields.flag("enabled", compression.enabled);
  fields.integer("max_tokens", compression.max_tokens, {1, 1e9});
  fields.integer("above_tokens", compression.above_tokens, {0, 1e12});
}

void describe_limits(Fields& fields, LimitsConfig& limits) {
  fields.integer("request_bytes", limits.request_bytes, {1, static_cast<double>(LimitsConfig::kMostRequestBytes)});
}

void read_vsr_part(const YamlNode& node, ConfigContext& context) {
  node.allow_keys(vsr_keys());
  for (const char* key : {"models", "adapters", "tasks"}) {
    if (const auto engines = node.optional(key)) engines->mark_read();  // read with the engine (engine/config)
  }
  if (const auto tasks = node.optional("signal_tasks")) read_signal_tasks(*tasks, context.config);
  if (const auto passthrough = node.optional("passthrough")) read_passthrough(*passthrough, context.config);
  if (const auto cache = node.optional("cache")) read_cache(*cache, context);
  if (const auto compression = node.optional("compression")) {
    CompressionConfig& value = context.config.compression;
    value.enabled = true;
    read_fields(*compression, context.notes, [&](Fields& fields) { describe_compression(fields, value); });
  }
  if (const auto limits = node.optional("limits")) {
    read_fields(*limits, context.notes, [&](Fields& fields) { describe_limits(fields, context.config.limits); });
  }
}

}  // namespace vsr::routing
