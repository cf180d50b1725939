// Names, with P the prefix, F the hash of the embedding model and Q that of the partition:
//   P:F:Q:<key>  a record (cache_codec.h), with its time to live
//   P:F:Q:log    a stream; each change has the fields "k" (key), "o" (who made it) and, for a deletion, "d" (when)
#include "routing/cache/cache_redis_tier.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

#include "base/error.h"
#include "routing/cache/cache_codec.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;

constexpr size_t kMaxWaiting = 4096;
constexpr size_t kMaxWaitingBytes = size_t{64} << 20;
constexpr size_t kWritesPerExchange = 32;
constexpr size_t kBytesPerExchange = size_t{4} << 20;
constexpr size_t kMaxFollowed = 4096;
constexpr int64_t kLogMs = int64_t{24} * 3600 * 1000;  // a log nobody writes to goes then, or with its last entry
constexpr size_t kLeastReplyLimit = size_t{16} << 20;
constexpr size_t kRecordOverhead = size_t{1} << 16;  // of a record beside question, answer and vector

std::string hash_hex(std::string_view text) { return CacheKey::of("", text).hex(); }

std::string random_origin() {
  std::random_device random;
  return CacheKey{uint64_t{random()} << 32 | random(), uint64_t{random()} << 32 | random()}.hex();
}

void check_duration(const char* name, int64_t value) {
  if (value < 1 || value > 60000) fail(Status::kInvalidArgument, name, " is ", value, " ms, expected 1 to 60000");
}

RedisOptions checked_options(RedisOptions options) {
  check_duration("redis connect_timeout", options.connect_timeout_ms);
  check_duration("redis lookup_timeout", options.lookup_timeout_ms);
  check_duration("redis write_timeout", options.write_timeout_ms);
  check_duration("redis poll_interval", options.poll_interval_ms);
  return options;
}

}  // namespace

CacheRedisTier::CacheRedisTier(const RedisOptions& options, size_t dim, const std::string& fingerprint,
                               size_t max_entry_bytes, Callbacks callbacks, base::LogSink log)
    : options_(checked_options(options)),
      dim_(dim),
      max_entry_bytes_(max_entry_bytes),
      callbacks_(std::move(callbacks)),
      prefix_(options.prefix + ":" + hash_hex(fingerprint + " " + std::to_string(dim)) + ":"),
      origin_(random_origin()),
      client_(
          RedisAddress::parse(options.address), options.connect_timeout_ms,
          std::max(kLeastReplyLimit, kFetchesPerExchange * (max_entry_bytes + dim * sizeof(float) + kRecordOverhead)),
          std::move(log)),
      hooks_({.before_fork = [this] { mutex_.lock(); },
              .after_fork_in_parent = [this] { mutex_.unlock(); },
              .after_fork_in_child = [this] { forget_thread(); },
              .before_exit = [this] { ask_to_stop(); }}) {
  const std::lock_guard lock(mutex_);
  start_thread();
}

CacheRedisTier::~CacheRedisTier() {
  ask_to_stop();
  if (follower_) follower_->thread.join();
}

// With the lock held, as in forget_thread().
void CacheRedisTier::start_thread() {
  if (follower_ || stop_) return;
  follower_ = std::make_unique<Follower>();
  follower_->thread = std::thread([this, &wake = follower_->wake] { run(wake); });
}

void CacheRedisTier::forget_thread() {
  static_cast<void>(follower_.release());
  writes_.clear();
  waiting_bytes_ = 0;
  deletions_.clear();
  origin_ = random_origin();
  mutex_.unlock();
}

void CacheRedisTier::ask_to_stop() {
  const std::lock_guard lock(mutex_);
  stop_ = true;
  if (follower_) follower_->wake.notify_all();
}

std::string CacheRedisTier::partition_name(std::string_view partition) const { return prefix_ + hash_hex(partition); }

std::string CacheRedisTier::entry_name(std::string_view partition, const CacheKey& key) const {
  return partition_name(partition) + ":" + key.hex();
}

std::string CacheRedisTier::log_name(std::string_view partition) const { return partition_name(partition) + ":log"; }

bool CacheRedisTier::deletion_waits(const CacheKey& key) const {
  const std::lock_guard lock(mutex_);
  return deletions_.contains(key);
}

std::optional<CacheRecord> CacheRedisTier::checked(std::string_view value, const std::string& partition,
                                                   const CacheKey& key) {
  try {
    CacheRecord record = unpack_record(value, dim_, "redis");
    const bool fits = record.partition == partition && CacheKey::of(record.partition, record.text) == key &&
                      record.text.size() + record.response->size() <= max_entry_bytes_;
    if (fits) return record.expires_ms > callbacks_.clock() ? std::optional(std::move(record)) : std::nullopt;
  } catch (const base::Error&) {
    // counted below: one bad entry must not hide the others
  }
  ++rejected_;
  return std::nullopt;
}

std::optional<CacheRecord> CacheRedisTier::fetch(const std::string& partition, const CacheKey& key,
                                                 std::string_view text) {
  // While Redis is gone only the thread tries, so that no request pays for it.
  if (!client_.in_order() || deletion_waits(key)) return std::nullopt;
  ++lookups_;
  const auto replies = client_.run({{"GET", entry_name(partition, key)}}, options_.lookup_timeout_ms);
  const auto value = replies ? RedisReplyView(replies->front().get()).text() : std::nullopt;
  if (!value) return std::nullopt;
  auto record = checked(*value, partition, key);
  if (!record || record->text != text || deletion_waits(key)) return std::nullopt;
  ++hits_;
  return record;
}

void CacheRedisTier::follow(const std::string& partition) {
  const int64_t now_ms = callbacks_.clock();
  const std::lock_guard lock(mutex_);
  start_thread();
  const auto found = followed_.find(partition);
  if (found != followed_.end()) {
    found->second.used_ms = now_ms;
  } else if (followed_.size() < kMaxFollowed) {
    followed_.emplace(partition, Followed{"0-0", now_ms});
  }
}

void CacheRedisTier::push(Write write) {
  const bool deletion = write.value.empty();
  {
    const std::lock_guard lock(mutex_);
    const bool full = writes_.size() >= kMaxWaiting || waiting_bytes_ + write.value.size() > kMaxWaitingBytes;
    // Deletions are small and matter more than answers, which can be had again.
    if (full && (!deletion || writes_.size() >= 4 * kMaxWaiting)) {
      ++dropped_;
      return;
    }
    if (deletion) ++deletions_[write.key];
    waiting_bytes_ += write.value.size();
    writes_.push_back(std::move(write));
    start_thread();
    if (follower_) follower_->wake.notify_one();
  }
}

void CacheRedisTier::store(const CacheRecord& record, const CacheKey& key) {
  push({record.partition, key, pack_record(record), record.expires_ms});
}

void CacheRedisTier::erase(const std::string& partition, const CacheKey& key) {
  push({partition, key, {}, callbacks_.clock()});
}

RedisCommands CacheRedisTier::commands_of(const Write& write) const {
  const std::string name = entry_name(write.partition, write.key), log = log_name(write.partition);
  RedisCommand change = {"XADD", log, "MAXLEN",        "~", std::to_string(kLogLength),
                         "*",    "k", write.key.hex(), "o", origin_};
  if (write.value.empty()) {
    change.insert(change.end(), {"d", std::to_string(write.time_ms)});
    return {{"DEL", name}, change};
  }
  const int64_t ttl_ms = std::max<int64_t>(1, write.time_ms - callbacks_.clock());
  return {{"SET", name, write.value, "PX", std::to_string(ttl_ms)},
          change,
          {"PEXPIRE", log, std::to_string(std::max(ttl_ms, kLogMs))}};
}

// Sends what waits, in order, until nothing does or Redis cannot be reached.
void CacheRedisTier::write_waiting() {
  while (true) {
    RedisCommands commands;
    size_t count = 0;
    {
      const std::lock_guard lock(mutex_);
      size_t bytes = 0;
      while (count < std::min(kWritesPerExchange, writes_.size()) && bytes < kBytesPerExchange) {
        bytes += writes_[count].value.size();
        for (RedisCommand& command : commands_of(writes_[count++])) commands.push_back(std::move(command));
      }
    }
    if (count == 0) return;
    const auto replies = client_.run(commands, options_.write_timeout_ms);
    if (!replies) return;
    for (const RedisReply& reply : *replies) dropped_ += !RedisReplyView(reply.get()).error().empty();
    stored_ += count;
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < count; ++i) {
      const Write& write = writes_.front();
      waiting_bytes_ -= write.value.size();
      const auto deletion = write.value.empty() ? deletions_.find(write.key) : deletions_.end();
      if (deletion != deletions_.end() && --deletion->second == 0) deletions_.erase(deletion);
      writes_.pop_front();
    }
  }
}

void CacheRedisTier::run(std::condition_variable& wake) {
  bool more = false;
  bool failing = false;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      // What could not be written waits for the next turn like everything else.
      const auto due = [&] { return stop_ || (!writes_.empty() && !failing); };
      if (!more) wake.wait_for(lock, std::chrono::milliseconds(options_.poll_interval_ms), due);
      if (stop_) break;
    }
    const base::ThreadTurn turn;
    if (!turn.granted()) return;
    write_waiting();
    more = poll();
    const std::lock_guard lock(mutex_);
    failing = !writes_.empty() && !client_.available();
  }
  const base::ThreadTurn turn;
  if (turn.granted()) write_waiting();
}

RedisStats CacheRedisTier::stats() const {
  RedisStats stats;
  stats.configured = true;
  stats.available = client_.available();
  stats.address = client_.address().without_password();
  stats.last_error = client_.last_error();
  stats.failures = client_.failures();
  stats.lookups = lookups_;
  stats.hits = hits_;
  stats.stored = stored_;
  stats.loaded = loaded_;
  stats.rejected = rejected_;
  stats.dropped = dropped_;
  const std::lock_guard lock(mutex_);
  stats.waiting = writes_.size();
  return stats;
}

}  // namespace vsr::routing
