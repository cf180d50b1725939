// Answers to questions that were asked before, in the same or in other words. In memory; with Redis also in that of
// other gateways (cache_redis_tier.h says how consistent they are); with snapshots across restarts.
//
//   auto hit = cache.lookup_exact(partition, text);                         // before anything is embedded
//   if (!hit) hit = cache.lookup_similar(partition, text, vector).hit;      // with the vector that routing needs
//   anyway if (!hit) cache.insert(partition, text, vector, answer_of_the_model);
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "routing/cache/cache_entry.h"
#include "routing/cache/cache_order.h"
#include "routing/cache/cache_partition.h"
#include "routing/cache/cache_redis_tier.h"
#include "routing/cache/cache_stats.h"
#include "routing/cache/match_evidence.h"
#include "routing/vectors/vector_sketch.h"

namespace vsr::routing {

struct CacheOptions {
  size_t dim = 0;                // of the vectors; 0: exact texts only
  std::string fingerprint = {};  // of the embedding model: snapshots and Redis entries of others are not used
  double threshold = 0.92;       // least cosine of a semantic hit, 0 to 1
  size_t max_entries = 1000;
  size_t max_bytes = size_t{1} << 30;        // of all entries together, with their vectors and partitions
  size_t max_entry_bytes = size_t{1} << 20;  // of question and answer; what is larger is not cached
  int64_t ttl_ms = int64_t{3600} * 1000;     // at most kMaxTtlMs
  bool veto = true;                          // off: for measurements only
  double least_same = 0.5;                   // least probability that a pair check must give
  // Of the lookups that find a match, the share that may get a wrong answer; feedback teaches which matches are right,
  // and until it has, most are not served. Nothing: all matches are.
  std::optional<double> max_error_rate = std::nullopt;
  uint64_t seed = 0;  // of the choice which matches are not served
  std::optional<RedisOptions> redis = std::nullopt;
  std::function<int64_t()> clock = {};  // milliseconds since 1970; empty: the system's
  base::LogSink log = {};
};

struct CacheHit {
  std::string key;                              // for remove() and feedback()
  std::string text;                             // the question that was answered
  std::shared_ptr<const std::string> response;  // bytes as inserted
  float similarity = 1;
  bool exact = true;
  CacheTier tier = CacheTier::kMemory;
  int64_t age_ms = 0;
};

// The probabilities that a question and each of several cached ones ask the same. What it throws, the lookup throws.
using PairCheck =
    std::function<std::vector<double>(std::string_view question, std::span<const std::string_view> cached)>;

struct SimilarAnswer {
  std::optional<CacheHit> hit = std::nullopt;
  std::optional<CacheHit> held_back = std::nullopt;  // a match that is not served, because too little is known of it
  float nearest = 0;      // similarity of the nearest entry above the threshold, hit or not; 0: none
  std::string veto = {};  // why the nearest was not used, for explanations
};

enum class CacheFeedback {
  kGood,         // the answer fitted
  kBadAnswer,    // wrong whatever the question: the entry is removed
  kBadMatch,     // right for its own question and not for the one that found it: that near no longer suffices
  kWouldFit,     // of an answer that was held back
  kWouldNotFit,  // the same; has the effect of a bad match
};

// Thread-safe. Lookups run side by side; partitions do not wait for each other. A key is only good in its partition.
class SemanticCache {
 public:
  // Throws kInvalidArgument for options out of range. Does not wait for Redis: whether it can be reached shows in
  // stats() and in the log.
  explicit SemanticCache(CacheOptions options);
  ~SemanticCache();

  // The entry of this very text, byte for byte. What memory does not have is asked of Redis; that it cannot be reached
  // is a miss.
  std::optional<CacheHit> lookup_exact(const PartitionKey& partition, std::string_view text);

  // The nearest entry of the same route, at `threshold` or above, that the veto and the pair check let pass; without a
  // pair check the veto refuses in doubt. `vector`: dim floats of length 1; all zero finds nothing. Throws
  // kInvalidArgument for any other, and for a threshold that is not 0 to 1.
  SimilarAnswer lookup_similar(const PartitionKey& partition, std::string_view text, std::span<const float> vector,
                               std::optional<double> threshold = std::nullopt, const PairCheck& same = {});

  // Puts an answer in the place of any that this text had, and returns its key; an empty string if it is too large to
  // be kept. `vector` may be empty. Throws kInvalidArgument as above and for a ttl that is not 1 ms to kMaxTtlMs.
  std::string insert(const PartitionKey& partition, std::string_view text, std::span<const float> vector,
                     std::string_view response, std::optional<int64_t> ttl_ms = std::nullopt);

  // Each says whether the entry was in this memory. What is removed, other gateways drop too; a raised least similarity
  // is this gateway's own and its snapshots'. `similarity` is that of the hit. Throws kInvalidArgument for what is no
  // key.
  bool remove(const PartitionKey& partition, std::string_view key);
  bool feedback(const PartitionKey& partition, std::string_view key, CacheFeedback feedback, float similarity = 1);

  // Removes the entries of a partition, or all, from this memory (other gateways keep theirs); returns how many.
  size_t clear(const PartitionKey& partition);
  size_t clear();

  // Removes what has expired, as lookups do in passing.
  void sweep();

  CacheStats stats() const;

  // Writes all entries to a file in one step; its permissions are those of the file that it replaces, so make that one
  // private if questions are. Throws kIo, kNotFound.
  void save(const std::string& path) const;
  // Adds the entries of a file, older ones giving way if there are too many, and returns how many were added; expired
  // ones are not. Throws kNotFound, kIo, kParse, kUnsupported, and kInvalidArgument for one of another embedding model;
  // then nothing has changed.
  size_t load(const std::string& path);

  const CacheOptions& options() const { return options_; }

 private:
  using PartitionPointer = std::shared_ptr<CachePartition>;
  using EntryPointer = CachePartition::EntryPointer;

  int64_t now() const { return options_.clock(); }
  void check_vector(std::span<const float> vector) const;
  std::vector<CachePartition::Near> without_vetoed(std::vector<CachePartition::Near> near, std::string_view text,
                                                   bool doubt_passes, int64_t now_ms, SimilarAnswer& answer) const;
  const CachePartition::Near* first_same(const std::vector<CachePartition::Near>& near, std::string_view text,
                                         const PairCheck& same, SimilarAnswer& answer);
  bool may_serve(const CachePartition::Near& match);
  bool note_match(const EntryPointer& entry, float similarity, bool right);
  PartitionPointer find_partition(const std::string& encoded) const;
  PartitionPointer make_partition(const std::string& encoded);
  void drop_if_empty(const PartitionPointer& partition);
  // False for one that is expired or too large.
  bool add(const CacheRecord& record, int64_t now_ms);
  void keep_bounds();
  void sweep(int64_t now_ms);
  bool erase(const std::string& encoded, const CacheKey& key);
  CacheHit hit_of(const CacheEntry& entry, int64_t now_ms) const;
  std::optional<CacheHit> exact_in_memory(const std::string& encoded, const CacheKey& key, std::string_view text,
                                          int64_t now_ms);
  std::optional<CacheHit> exact_in_redis(const std::string& encoded, const CacheKey& key, std::string_view text,
                                         int64_t now_ms);
  std::optional<CacheRecord> record_of(const CacheOrder::Item& item) const;

  CacheOptions options_;
  VectorSketch sketch_;
  mutable CacheCounters counters_;
  MatchEvidence evidence_;
  std::atomic<uint64_t> choices_{0};
  std::atomic<uint64_t> next_id_{1};
  CacheOrder order_;
  mutable std::shared_mutex directory_mutex_;
  std::map<std::string_view, PartitionPointer> directory_;  // by their own keys
  std::unique_ptr<CacheRedisTier> redis_;                   // last: its thread adds entries until it has ended
};

}  // namespace vsr::routing
