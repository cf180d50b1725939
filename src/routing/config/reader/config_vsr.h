// The part of a config file that only vsr has.
//
//   vsr:
//     models: ...  adapters: ...  tasks: ...      # read by engine/config/config.h; left alone here
//     signal_tasks: {domain: topic, jailbreak: guard, embedding: minilm}
//     cache: {max_entries: 1000, max_bytes: 1073741824, ttl_seconds: 3600, snapshot: cache.bin, redis:
//     "localhost:6379",
//             semantic: {similarity_threshold: 0.75, same_question: TASK, least_probability: 0.9, max_error_rate:
//             0.02}}
//     compression: {max_tokens: 512, above_tokens: 1024}
//     passthrough: allow | check | refuse
//     limits: {request_bytes: 8388608}
//
// `cache` and `compression` are on when they are there, unless `enabled: false`; a response_cache plugin of a decision
// turns the cache on as well. `cache.semantic` is on in the same way; `cache.threshold` is a short form of it.
// Paths are relative to the file's folder.
#pragma once

#include "base/yaml.h"
#include "routing/config/reader/config_names.h"

namespace vsr::routing {

void read_vsr_part(const base::YamlNode& node, ConfigContext& context);

// For the schema.
void describe_cache(Fields& fields, CacheConfig& cache);
void describe_compression(Fields& fields, CompressionConfig& compression);
void describe_limits(Fields& fields, LimitsConfig& limits);
const std::vector<std::string_view>& task_kinds();
const std::vector<std::string_view>& passthrough_names();
const std::vector<std::string_view>& vsr_keys();

}  // namespace vsr::routing
