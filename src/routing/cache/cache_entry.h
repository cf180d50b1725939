// What the semantic cache keeps: keys, and one answered question.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/cache_veto.h"
#include "routing/cache/match_evidence.h"

namespace vsr::routing {

// Entries of one partition are never seen from another. `policy` represents all that an answer depends on besides the
// question: the digest of system prompt and parameters, say. No part needs to be UTF-8.
struct PartitionKey {
  std::string tenant = {};
  std::string model = {};
  std::string policy = {};
  // What was decided about the question. The same text has the same decision, so texts are looked up without it; a
  // similar text only finds what was decided about likewise.
  std::string route = {};

  // One string of tenant, model and policy, from which the parts can be told: ("a", "b") is not ("ab", "").
  std::string encoded() const;
};

// 128 bits of XXH3 of a partition and a text: the same on every machine and in every run.
struct CacheKey {
  uint64_t high = 0;
  uint64_t low = 0;
  friend auto operator<=>(const CacheKey&, const CacheKey&) = default;

  static CacheKey of(std::string_view encoded_partition, std::string_view text);
  // 32 hexadecimal digits in lower case; nothing for any other text.
  static std::optional<CacheKey> parse(std::string_view hex);
  std::string hex() const;
};

// Spreads keys that somebody may have chosen so as to collide in a table.
struct CacheKeyHash {
  size_t operator()(const CacheKey& key) const;
};

// An entry as it travels: into a snapshot, through Redis, into the memory.
struct CacheRecord {
  std::string partition;  // encoded
  std::string text;
  std::shared_ptr<const std::string> response;
  std::vector<float> vector;  // length 1; empty: found by its exact text only
  int64_t created_ms = 0;     // since 1970
  int64_t expires_ms = 0;
  float least_similarity = -1;  // raised by feedback; other texts must be at least this near
  uint32_t good = 0, bad = 0;   // feedback
  std::string route = {};       // PartitionKey's
};

// An entry in memory. Immutable but for its counters.
struct CacheEntry {
  uint64_t id = 0;  // unique in this cache
  CacheKey key;
  std::string text;
  std::shared_ptr<const std::string> response;
  std::string route;
  facts::VetoTerms terms;
  int64_t created_ms = 0;
  int64_t expires_ms = 0;
  std::atomic<float> least_similarity{-1};
  std::atomic<uint32_t> good{0}, bad{0};
  MatchHistory history;

  // With what the tables of partition and order take for it; without the vector, which lies in CacheVectors.
  size_t bytes() const;
};

}  // namespace vsr::routing
