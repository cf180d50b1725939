// What the log of a partition in Redis says was stored and deleted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "routing/cache/cache_entry.h"
#include "routing/cache/redis/redis_client.h"

namespace vsr::routing {

struct RedisChange {
  CacheKey key;
  bool own = false;                                  // by the gateway that reads
  std::optional<int64_t> deleted_ms = std::nullopt;  // by the clock of who deleted it
};

// The changes in a stream's entries, as XREAD gives them; what has another form is passed over. `origin` names the
// gateway that reads, and `last_id` becomes the id of the last entry.
std::vector<RedisChange> read_changes(const RedisReplyView& entries, std::string_view origin, std::string& last_id);

}  // namespace vsr::routing
