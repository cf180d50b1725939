// Snapshots of the semantic cache: between its entries and cache_file.h.
#include <algorithm>
#include <cstdint>

#include "base/file.h"
#include "base/file_replace.h"
#include "routing/cache/cache_codec.h"
#include "routing/cache/cache_file.h"
#include "routing/cache/semantic_cache.h"

namespace vsr::routing {

std::optional<CacheRecord> SemanticCache::record_of(const CacheOrder::Item& item) const {
  CacheRecord record;
  const auto entry = item.partition->find_with_vector(item.key, record.vector);
  if (entry == nullptr) return std::nullopt;
  record.partition = item.partition->encoded_key();
  record.text = entry->text;
  record.response = entry->response;
  record.created_ms = std::min(entry->created_ms, entry->expires_ms);
  record.expires_ms = std::min(entry->expires_ms, record.created_ms + kMaxTtlMs);
  record.least_similarity = entry->least_similarity;
  record.good = entry->good;
  record.bad = entry->bad;
  record.route = entry->route;
  return record;
}

void SemanticCache::save(const std::string& path) const {
  CacheFileWriter writer(options_.dim, options_.fingerprint);
  const int64_t now_ms = now();
  for (const auto& item : order_.items()) {
    const auto record = record_of(item);
    if (record && record->expires_ms > now_ms) writer.add(*record);
  }
  base::replace_file(path, writer.finish());
}

size_t SemanticCache::load(const std::string& path) {
  // Records are no larger in a file than in memory, but for what a smaller limit has been set since.
  constexpr size_t kSpare = size_t{64} << 20;
  check_cache_file(path, 2 * std::min(options_.max_bytes, SIZE_MAX / 4) + kSpare);
  const base::FileContents file(path);
  const auto records = read_cache_file(file.text(), path, options_.dim, options_.fingerprint);
  const int64_t now_ms = now();
  size_t count = 0;
  for (const CacheRecord& record : records) count += add(record, now_ms);
  return count;
}

}  // namespace vsr::routing
