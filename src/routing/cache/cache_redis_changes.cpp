#include "routing/cache/cache_redis_changes.h"

#include <charconv>

namespace vsr::routing {
namespace {

// "1700000000000-3": what a stream calls its entries.
bool is_stream_id(std::string_view text) {
  const size_t dash = text.find('-');
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.size() <= 20 && part.find_first_not_of("0123456789") == part.npos;
  };
  return dash != text.npos && digits(text.substr(0, dash)) && digits(text.substr(dash + 1));
}

std::optional<int64_t> parse_ms(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<RedisChange> read_changes(const RedisReplyView& entries, std::string_view origin, std::string& last_id) {
  std::vector<RedisChange> changes;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto id = entries[i][0].text();
    if (!id || !is_stream_id(*id)) continue;
    last_id = *id;
    const RedisReplyView fields = entries[i][1];
    RedisChange change;
    std::optional<CacheKey> key;
    for (size_t f = 0; f + 1 < fields.size(); f += 2) {
      const auto name = fields[f].text(), value = fields[f + 1].text();
      if (!name || !value) continue;
      if (*name == "k") key = CacheKey::parse(*value);
      if (*name == "o") change.own = *value == origin;
      if (*name == "d") change.deleted_ms = parse_ms(*value);
    }
    if (!key) continue;
    change.key = *key;
    changes.push_back(change);
  }
  return changes;
}

}  // namespace vsr::routing
