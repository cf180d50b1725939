// What the semantic cache has done so far.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace vsr::routing {

enum class CacheTier { kMemory, kRedis };

struct RedisStats {
  bool configured = false;
  bool available = false;       // the last attempt succeeded
  std::string address = {};     // without a password
  std::string last_error = {};  // of the last failure, also when it is over
  uint64_t failures = 0;        // connections and commands that failed or came too late
  uint64_t lookups = 0, hits = 0;
  uint64_t stored = 0;    // entries and deletions written
  uint64_t loaded = 0;    // entries of other gateways taken over
  uint64_t rejected = 0;  // entries found there that were malformed
  uint64_t dropped = 0;   // writes given up, because too many waited or the server refused them
  size_t waiting = 0;     // writes not sent yet
};

struct CacheStats {
  uint64_t exact_lookups = 0, exact_hits = 0;  // hits in Redis among them
  uint64_t similar_lookups = 0, similar_hits = 0;
  uint64_t vetoes = 0;     // similar lookups without a hit that would have had one but for the veto
  uint64_t unlike = 0;     // the same, but for the pair check
  uint64_t held_back = 0;  // similar lookups whose match was not served, for want of evidence
  uint64_t inserts = 0;
  uint64_t rejected = 0;   // too large to be kept
  uint64_t evictions = 0;  // by the bounds
  uint64_t expirations = 0;
  uint64_t removals = 0;                                // by remove(), feedback(), or another gateway
  uint64_t good = 0, bad_answers = 0, bad_matches = 0;  // feedback
  size_t entries = 0, bytes = 0, partitions = 0;
  RedisStats redis = {};

  // Lookups begin with the exact one.
  double hit_rate() const {
    return exact_lookups == 0 ? 0 : static_cast<double>(exact_hits + similar_hits) / static_cast<double>(exact_lookups);
  }
  // The share of the hits with feedback that were bad; 0 without feedback.
  double error_rate() const {
    const uint64_t bad = bad_answers + bad_matches;
    return good + bad == 0 ? 0 : static_cast<double>(bad) / static_cast<double>(good + bad);
  }
};

struct CacheCounters {
  using Count = std::atomic<uint64_t>;
  Count exact_lookups{0}, exact_hits{0}, similar_lookups{0}, similar_hits{0}, vetoes{0}, unlike{0}, held_back{0},
      inserts{0}, rejected{0}, evictions{0}, expirations{0}, removals{0}, good{0}, bad_answers{0}, bad_matches{0};

  // The rest is left to the caller.
  CacheStats read() const {
    CacheStats stats;
    stats.exact_lookups = exact_lookups;
    stats.exact_hits = exact_hits;
    stats.similar_lookups = similar_lookups;
    stats.similar_hits = similar_hits;
    stats.vetoes = vetoes;
    stats.unlike = unlike;
    stats.held_back = held_back;
    stats.inserts = inserts;
    stats.rejected = rejected;
    stats.evictions = evictions;
    stats.expirations = expirations;
    stats.removals = removals;
    stats.good = good;
    stats.bad_answers = bad_answers;
    stats.bad_matches = bad_matches;
    return stats;
  }
};

}  // namespace vsr::routing
