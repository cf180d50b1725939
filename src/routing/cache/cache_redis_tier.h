// The tier of the semantic cache that several gateways share, in Redis 5 or newer.
//
// Entries are under their keys, with the time to live; each partition has a log (a stream) of what was stored and
// deleted. Lookups of an exact text ask for the key. A thread follows the logs of the partitions in use, so that
// entries of other gateways get into this one's memory, where similar questions find them; it also does all writing, so
// that no request waits for it.
//
// Consistency: eventual. What one gateway stores is found by its exact text at once, by similar texts within a poll
// interval and the time to fetch it; what one deletes, others answer for about that long. The last of two answers to
// one text wins. A gateway that missed more than kLogLength changes loses the oldest of them: entries are then only
// found by their exact texts, and deletions only take effect when the entry expires. While Redis is gone, writes wait,
// up to a bound; beyond it they are dropped and counted.
//
// Whoever may write to that Redis decides what is answered: what comes from it is checked for form (lengths, checksum,
// partition, key, vector), not for truth.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/log.h"
#include "base/process.h"
#include "routing/cache/cache_entry.h"
#include "routing/cache/cache_stats.h"
#include "routing/cache/redis/redis_client.h"

namespace vsr::routing {

struct RedisOptions {
  std::string address = {};  // see RedisAddress::parse
  int64_t connect_timeout_ms = 100;
  int64_t lookup_timeout_ms = 25;   // what a lookup may lose to a server that does not answer, once per outage
  int64_t write_timeout_ms = 1000;  // of the background thread, per exchange
  int64_t poll_interval_ms = 200;
  std::string prefix = "vsr:cache";  // of all keys
};

constexpr size_t kLogLength = 10000;
constexpr size_t kFetchesPerExchange = 16;

// Thread-safe. A child made by fork() leaves what waits to be written to its parent, and has a thread of its own from
// its first lookup on.
class CacheRedisTier {
 public:
  struct Callbacks {
    std::function<void(CacheRecord record)> stored;  // by another gateway; checked
    // By any gateway. Of entries created later than that it does not speak.
    std::function<void(const std::string& partition, const CacheKey& key, int64_t created_until_ms)> deleted;
    std::function<int64_t()> clock;  // milliseconds since 1970
  };

  // Starts the thread. Throws kInvalidArgument or kUnsupported for an address that is none, or options out of range.
  CacheRedisTier(const RedisOptions& options, size_t dim, const std::string& fingerprint, size_t max_entry_bytes,
                 Callbacks callbacks, base::LogSink log);
  // Ends the thread; writes that wait are tried once more, within a write timeout.
  ~CacheRedisTier();

  // The entry of that key, checked and not expired; nothing also when Redis cannot be reached.
  std::optional<CacheRecord> fetch(const std::string& partition, const CacheKey& key, std::string_view text);

  // Follows the partition's log from now on, until nobody has asked for it for ten minutes.
  void follow(const std::string& partition);

  // Return at once; written when possible.
  void store(const CacheRecord& record, const CacheKey& key);
  void erase(const std::string& partition, const CacheKey& key);

  RedisStats stats() const;

 private:
  struct Write {
    std::string partition;
    CacheKey key;
    std::string value;  // empty: a deletion
    // When a record ends, or when a deletion was asked for: what is inserted before it is sent is newer and stays.
    int64_t time_ms = 0;
  };
  struct Followed {
    std::string last_id = "0-0";
    int64_t used_ms = 0;
  };

  std::string partition_name(std::string_view partition) const;
  std::string entry_name(std::string_view partition, const CacheKey& key) const;
  std::string log_name(std::string_view partition) const;

  void start_thread();
  void forget_thread();
  void ask_to_stop();
  void run(std::condition_variable& wake);
  void write_waiting();
  void push(Write write);
  RedisCommands commands_of(const Write& write) const;
  bool deletion_waits(const CacheKey& key) const;
  void forget_idle();
  bool poll();
  bool apply_log(const std::string& partition, const RedisReplyView& entries);
  bool load(const std::string& partition, const std::vector<CacheKey>& keys);
  std::optional<CacheRecord> checked(std::string_view value, const std::string& partition, const CacheKey& key);

  RedisOptions options_;
  size_t dim_;
  size_t max_entry_bytes_;
  Callbacks callbacks_;
  std::string prefix_;  // with the model's fingerprint
  std::string origin_;  // marks this gateway's own changes
  RedisClient client_;

  std::atomic<uint64_t> lookups_{0}, hits_{0}, stored_{0}, loaded_{0}, rejected_{0}, dropped_{0};
  mutable std::mutex mutex_;  // of all below
  // In one piece, as a child has to leave both alone.
  struct Follower {
    std::condition_variable wake;
    std::thread thread;
  };
  std::unique_ptr<Follower> follower_;
  std::deque<Write> writes_;
  size_t waiting_bytes_ = 0;
  std::map<CacheKey, size_t> deletions_;  // that wait, by key; it is not fetched meanwhile
  std::map<std::string, Followed, std::less<>> followed_;
  bool stop_ = false;
  base::ProcessHooks hooks_;
};

}  // namespace vsr::routing
