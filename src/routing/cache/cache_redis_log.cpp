// The part of the Redis tier that follows the logs of partitions and takes over what other gateways changed.
#include <map>
#include <utility>

#include "routing/cache/cache_redis_changes.h"
#include "routing/cache/cache_redis_tier.h"

namespace vsr::routing {
namespace {

constexpr size_t kChangesPerPoll = 256;
constexpr size_t kPartitionsPerPoll = 64;
constexpr int64_t kFollowMs = 10 * 60 * 1000;

}  // namespace

bool CacheRedisTier::load(const std::string& partition, const std::vector<CacheKey>& keys) {
  for (size_t begin = 0; begin < keys.size(); begin += kFetchesPerExchange) {
    const size_t end = std::min(keys.size(), begin + kFetchesPerExchange);
    RedisCommand command = {"MGET"};
    for (size_t i = begin; i < end; ++i) command.push_back(entry_name(partition, keys[i]));
    const auto replies = client_.run({command}, options_.write_timeout_ms);
    if (!replies) return false;
    const RedisReplyView values(replies->front().get());
    for (size_t i = begin; i < end; ++i) {
      const auto value = values[i - begin].text();
      if (!value || deletion_waits(keys[i])) continue;
      auto record = checked(*value, partition, keys[i]);
      if (!record) continue;
      callbacks_.stored(std::move(*record));
      ++loaded_;
      // Deleted here while it was on its way.
      if (deletion_waits(keys[i])) callbacks_.deleted(partition, keys[i], INT64_MAX);
    }
  }
  return true;
}

// Takes over what the log says, the last change of each key. Returns whether there may be more.
bool CacheRedisTier::apply_log(const std::string& partition, const RedisReplyView& entries) {
  std::string last_id;
  std::map<CacheKey, RedisChange> last;
  for (const RedisChange& change : read_changes(entries, origin_, last_id)) last[change.key] = change;
  std::vector<CacheKey> stored;
  for (const auto& [key, change] : last) {
    if (change.deleted_ms) {
      callbacks_.deleted(partition, key, change.own ? *change.deleted_ms : INT64_MAX);
    } else if (!change.own) {
      stored.push_back(key);
    }
  }
  if (!load(partition, stored)) return false;  // and read the same part of the log again later
  const std::lock_guard lock(mutex_);
  const auto found = followed_.find(partition);
  if (found != followed_.end() && !last_id.empty()) found->second.last_id = last_id;
  return entries.size() >= kChangesPerPoll && !last_id.empty();
}

void CacheRedisTier::forget_idle() {
  const int64_t now_ms = callbacks_.clock();
  const std::lock_guard lock(mutex_);
  std::erase_if(followed_, [&](const auto& item) { return item.second.used_ms + kFollowMs < now_ms; });
}

// Reads on in all logs. Returns whether there may be more.
bool CacheRedisTier::poll() {
  forget_idle();
  if (!client_.available() && !client_.run({{"PING"}}, options_.write_timeout_ms)) return false;
  std::vector<std::pair<std::string, std::string>> positions;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [partition, followed] : followed_) positions.emplace_back(partition, followed.last_id);
  }
  bool more = false;
  for (size_t begin = 0; begin < positions.size(); begin += kPartitionsPerPoll) {
    const size_t end = std::min(positions.size(), begin + kPartitionsPerPoll);
    RedisCommand command = {"XREAD", "COUNT", std::to_string(kChangesPerPoll), "STREAMS"};
    std::map<std::string, std::string> partition_of;
    for (size_t i = begin; i < end; ++i) {
      command.push_back(log_name(positions[i].first));
      partition_of.emplace(command.back(), positions[i].first);
    }
    for (size_t i = begin; i < end; ++i) command.push_back(positions[i].second);
    const auto replies = client_.run({command}, options_.write_timeout_ms);
    if (!replies) return false;
    const RedisReplyView logs(replies->front().get());
    for (size_t i = 0; i < logs.size(); ++i) {
      const auto name = logs[i][0].text();
      const auto partition = name ? partition_of.find(std::string(*name)) : partition_of.end();
      if (partition != partition_of.end()) more = apply_log(partition->second, logs[i][1]) || more;
    }
  }
  return more;
}

}  // namespace vsr::routing
