// What a config file says of the response cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace vsr::routing {

// `vsr.cache.semantic`: answers for questions that are not the same text.
struct SemanticHits {
  bool enabled = false;  // for decisions whose plugin does not say
  std::optional<double> similarity_threshold = std::nullopt;
  std::string same_question = {};  // the task that checks pairs; empty: none
  double least_probability = 0.9;  // that it must give
  std::optional<double> max_error_rate = std::nullopt;
  int64_t seed = 0;
  // Vectors alone must be nearer than those that a pair check reads again.
  friend bool operator==(const SemanticHits&, const SemanticHits&) = default;
  double threshold() const { return similarity_threshold.value_or(same_question.empty() ? 0.92 : 0.75); }
};

// `vsr.cache`.
struct CacheConfig {
  bool enabled = false;
  SemanticHits semantic = {};
  size_t max_entries = 1000;
  size_t max_bytes = size_t{1} << 30;  // of memory
  int64_t ttl_seconds = 3600;
  std::string snapshot = {};  // a file; empty: none
  std::string redis = {};     // "host:port" or a path of a socket; empty: memory only
  friend bool operator==(const CacheConfig&, const CacheConfig&) = default;
};

}  // namespace vsr::routing
