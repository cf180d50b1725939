#include "routing/cache/semantic_cache.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "routing/cache/cache_codec.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::Status;

// Hits that the veto may refuse before a lookup gives up.
constexpr size_t kCandidates = 32;
// The nearest of them that are put to the pair check, in one call.
constexpr size_t kPairs = 4;
// Expired entries that one call removes in passing.
constexpr size_t kSweep = 64;
// How much nearer than a bad match others must be.
constexpr float kBadMatchMargin = 0.005f;

int64_t system_clock_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

void check_threshold(double threshold) {
  if (threshold >= 0 && threshold <= 1) return;
  fail(Status::kInvalidArgument, "cache threshold is ", threshold, ", expected 0 to 1");
}

void check_rate(std::optional<double> rate) {
  if (!rate || (*rate > 0 && *rate < 1)) return;
  fail(Status::kInvalidArgument, "cache max_error_rate is ", *rate, ", expected more than 0 and less than 1");
}

void check_ttl(int64_t ttl_ms) {
  if (ttl_ms >= 1 && ttl_ms <= kMaxTtlMs) return;
  fail(Status::kInvalidArgument, "cache ttl is ", ttl_ms, " ms, expected 1 to ", kMaxTtlMs);
}

CacheOptions checked(CacheOptions options) {
  check_threshold(options.threshold);
  check_threshold(options.least_same);
  check_rate(options.max_error_rate);
  check_ttl(options.ttl_ms);
  if (options.max_entries == 0) fail(Status::kInvalidArgument, "cache max_entries is 0, expected 1 or more");
  if (!options.clock) options.clock = &system_clock_ms;
  return options;
}

CacheKey parsed(std::string_view key) {
  if (const auto parsed_key = CacheKey::parse(key)) return *parsed_key;
  fail(Status::kInvalidArgument, "\"", key, "\" is no key of the cache, expected 32 hexadecimal digits");
}

bool is_zero(std::span<const float> vector) {
  return std::all_of(vector.begin(), vector.end(), [](float value) { return value == 0; });
}

}  // namespace

SemanticCache::SemanticCache(CacheOptions options) : options_(checked(std::move(options))), sketch_(options_.dim) {
  if (!options_.redis) return;
  CacheRedisTier::Callbacks callbacks;
  callbacks.clock = options_.clock;
  callbacks.stored = [this](const CacheRecord& record) { add(record, now()); };
  callbacks.deleted = [this](const std::string& partition, const CacheKey& key, int64_t created_until_ms) {
    const auto found = find_partition(partition);
    const auto entry = found ? found->find(key) : nullptr;
    if (entry != nullptr && entry->created_ms <= created_until_ms) erase(partition, key);
  };
  redis_ = std::make_unique<CacheRedisTier>(*options_.redis, options_.dim, options_.fingerprint,
                                            options_.max_entry_bytes, std::move(callbacks), options_.log);
}

SemanticCache::~SemanticCache() = default;

void SemanticCache::check_vector(std::span<const float> vector) const {
  if (vector.size() != options_.dim) {
    fail(Status::kInvalidArgument, "vector has ", vector.size(), " numbers, expected ", options_.dim);
  }
  double squares = 0;
  for (const float value : vector) squares += static_cast<double>(value) * value;
  if (squares == 0 || std::abs(squares - 1) < 1e-3) return;
  fail(Status::kInvalidArgument, "vector has length ", std::sqrt(squares), ", expected 1");
}

SemanticCache::PartitionPointer SemanticCache::find_partition(const std::string& encoded) const {
  const std::shared_lock lock(directory_mutex_);
  const auto found = directory_.find(encoded);
  return found == directory_.end() ? nullptr : found->second;
}

SemanticCache::PartitionPointer SemanticCache::make_partition(const std::string& encoded) {
  if (auto present = find_partition(encoded)) return present;
  const std::unique_lock lock(directory_mutex_);
  const auto found = directory_.find(encoded);
  if (found != directory_.end()) return found->second;
  auto partition = std::make_shared<CachePartition>(encoded, options_.dim, sketch_, order_);
  directory_.emplace(partition->encoded_key(), partition);
  return partition;
}

void SemanticCache::drop_if_empty(const PartitionPointer& partition) {
  const std::unique_lock lock(directory_mutex_);
  const auto found = directory_.find(partition->encoded_key());
  if (found != directory_.end() && found->second == partition && partition->close_if_empty()) directory_.erase(found);
}

bool SemanticCache::add(const CacheRecord& record, int64_t now_ms) {
  if (record.text.size() + record.response->size() > options_.max_entry_bytes || record.expires_ms <= now_ms) {
    return false;
  }
  auto entry = std::make_shared<CacheEntry>();
  entry->id = next_id_.fetch_add(1);
  entry->key = CacheKey::of(record.partition, record.text);
  entry->text = record.text;
  entry->response = record.response;
  entry->created_ms = record.created_ms;
  entry->expires_ms = std::min(record.expires_ms, now_ms + kMaxTtlMs);  // the clock may have been set back
  entry->least_similarity = record.least_similarity;
  entry->good = record.good;
  entry->bad = record.bad;
  entry->route = record.route;
  std::optional<CacheQuery> vector;
  if (!is_zero(record.vector)) {
    vector = CacheVectors::prepare(sketch_, record.vector);
    entry->terms = facts::veto_terms(record.text);
  }
  // A partition that was dropped in between takes nothing; then there is a new one.
  while (!make_partition(record.partition)->insert(entry, vector)) {
  }
  keep_bounds();
  return true;
}

void SemanticCache::keep_bounds() {
  while (const auto item = order_.oldest_beyond(options_.max_entries, options_.max_bytes)) {
    if (!item->partition->erase(item->key, item->id)) continue;
    ++counters_.evictions;
    drop_if_empty(item->partition);
  }
}

void SemanticCache::sweep(int64_t now_ms) {
  for (const auto& item : order_.expired(now_ms, kSweep)) {
    if (!item.partition->erase(item.key, item.id)) continue;
    ++counters_.expirations;
    drop_if_empty(item.partition);
  }
}

void SemanticCache::sweep() {
  const int64_t now_ms = now();
  while (!order_.expired(now_ms, 1).empty()) sweep(now_ms);
}

CacheHit SemanticCache::hit_of(const CacheEntry& entry, int64_t now_ms) const {
  const int64_t age_ms = std::max<int64_t>(0, now_ms - entry.created_ms);
  return {entry.key.hex(), entry.text, entry.response, 1, true, CacheTier::kMemory, age_ms};
}

std::optional<CacheHit> SemanticCache::exact_in_memory(const std::string& encoded, const CacheKey& key,
                                                       std::string_view text, int64_t now_ms) {
  const auto partition = find_partition(encoded);
  const auto entry = partition ? partition->find(key) : nullptr;
  if (entry == nullptr || entry->text != text || entry->expires_ms <= now_ms) return std::nullopt;
  order_.touch(entry->id);
  return hit_of(*entry, now_ms);
}

std::optional<CacheHit> SemanticCache::exact_in_redis(const std::string& encoded, const CacheKey& key,
                                                      std::string_view text, int64_t now_ms) {
  redis_->follow(encoded);
  const auto record = redis_->fetch(encoded, key, text);
  if (!record || !add(*record, now_ms)) return std::nullopt;
  const int64_t age_ms = std::max<int64_t>(0, now_ms - record->created_ms);
  return CacheHit{key.hex(), record->text, record->response, 1, true, CacheTier::kRedis, age_ms};
}

std::optional<CacheHit> SemanticCache::lookup_exact(const PartitionKey& partition, std::string_view text) {
  ++counters_.exact_lookups;
  const int64_t now_ms = now();
  sweep(now_ms);
  const std::string encoded = partition.encoded();
  const CacheKey key = CacheKey::of(encoded, text);
  auto hit = exact_in_memory(encoded, key, text, now_ms);
  if (!hit && redis_) hit = exact_in_redis(encoded, key, text, now_ms);
  if (hit) ++counters_.exact_hits;
  return hit;
}

std::vector<CachePartition::Near> SemanticCache::without_vetoed(std::vector<CachePartition::Near> near,
                                                                std::string_view text, bool doubt_passes,
                                                                int64_t now_ms, SimilarAnswer& answer) const {
  std::optional<facts::VetoTerms> terms;
  std::erase_if(near, [&](const CachePartition::Near& match) {
    const auto& [similarity, entry] = match;
    if (entry->expires_ms <= now_ms || similarity < entry->least_similarity) return true;
    if (answer.nearest == 0) answer.nearest = similarity;
    if (!options_.veto) return false;
    if (!terms) terms = facts::veto_terms(text);
    auto found = facts::veto(*terms, entry->terms);
    if (!found || (found->doubt && doubt_passes)) return false;
    if (answer.veto.empty()) answer.veto = std::move(found->reason);
    return true;
  });
  return near;
}

const CachePartition::Near* SemanticCache::first_same(const std::vector<CachePartition::Near>& near,
                                                      std::string_view text, const PairCheck& same,
                                                      SimilarAnswer& answer) {
  if (near.empty()) return nullptr;
  if (!same) return &near.front();
  std::vector<std::string_view> cached;
  for (size_t i = 0; i < std::min(near.size(), kPairs); ++i) cached.push_back(near[i].entry->text);
  const std::vector<double> probabilities = same(text, cached);
  for (size_t i = 0; i < cached.size(); ++i) {
    if (probabilities.at(i) >= options_.least_same) return &near[i];
  }
  ++counters_.unlike;
  if (answer.veto.empty()) answer.veto = "the pair check takes it for another question";
  return nullptr;
}

bool SemanticCache::may_serve(const CachePartition::Near& match) {
  if (!options_.max_error_rate) return true;
  const double chance =
      evidence_.chance_to_serve(match.similarity, match.entry->history.read(), *options_.max_error_rate);
  return spread_number(options_.seed, choices_.fetch_add(1)) < chance;
}

SimilarAnswer SemanticCache::lookup_similar(const PartitionKey& partition, std::string_view text,
                                            std::span<const float> vector, std::optional<double> threshold,
                                            const PairCheck& same) {
  check_vector(vector);
  const double least = threshold.value_or(options_.threshold);
  check_threshold(least);
  ++counters_.similar_lookups;
  const int64_t now_ms = now();
  sweep(now_ms);
  SimilarAnswer answer;
  const auto found = find_partition(partition.encoded());
  if (!found || is_zero(vector)) return answer;
  auto near = found->nearest(CacheVectors::prepare(sketch_, vector), static_cast<float>(least), kCandidates);
  std::erase_if(near, [&](const CachePartition::Near& match) { return match.entry->route != partition.route; });
  near = without_vetoed(std::move(near), text, same != nullptr, now_ms, answer);
  if (near.empty() && !answer.veto.empty()) ++counters_.vetoes;
  const CachePartition::Near* match = first_same(near, text, same, answer);
  if (match == nullptr) return answer;
  CacheHit hit = hit_of(*match->entry, now_ms);
  hit.similarity = match->similarity;
  hit.exact = false;
  if (may_serve(*match)) {
    order_.touch(match->entry->id);
    ++counters_.similar_hits;
    answer.hit = std::move(hit);
  } else {
    ++counters_.held_back;
    answer.held_back = std::move(hit);
  }
  return answer;
}

std::string SemanticCache::insert(const PartitionKey& partition, std::string_view text, std::span<const float> vector,
                                  std::string_view response, std::optional<int64_t> ttl_ms) {
  if (!vector.empty()) check_vector(vector);
  check_ttl(ttl_ms.value_or(options_.ttl_ms));
  const int64_t now_ms = now();
  sweep(now_ms);
  CacheRecord record;
  record.partition = partition.encoded();
  record.text = text;
  record.response = std::make_shared<const std::string>(response);
  if (!is_zero(vector)) record.vector.assign(vector.begin(), vector.end());
  record.created_ms = now_ms;
  record.expires_ms = now_ms + ttl_ms.value_or(options_.ttl_ms);
  record.route = partition.route;
  if (!add(record, now_ms)) {
    ++counters_.rejected;
    return {};
  }
  ++counters_.inserts;
  const CacheKey key = CacheKey::of(record.partition, text);
  if (redis_) {
    redis_->store(record, key);
    redis_->follow(record.partition);
  }
  return key.hex();
}

bool SemanticCache::erase(const std::string& encoded, const CacheKey& key) {
  const auto partition = find_partition(encoded);
  if (!partition || !partition->erase(key)) return false;
  ++counters_.removals;
  drop_if_empty(partition);
  return true;
}

bool SemanticCache::remove(const PartitionKey& partition, std::string_view key) {
  const CacheKey parsed_key = parsed(key);
  const std::string encoded = partition.encoded();
  const bool present = erase(encoded, parsed_key);
  if (!redis_) return present;
  redis_->erase(encoded, parsed_key);
  // A lookup may have fetched it from Redis in between; from now on such a one is known to be on its way out.
  return erase(encoded, parsed_key) || present;
}

bool SemanticCache::note_match(const CachePartition::EntryPointer& entry, float similarity, bool right) {
  if (similarity < 1) evidence_.add({similarity, right});
  if (entry == nullptr) return false;
  entry->history.add({similarity, right});
  const float wanted = right ? -1 : similarity + kBadMatchMargin;
  float present = entry->least_similarity;
  while (present < wanted && !entry->least_similarity.compare_exchange_weak(present, wanted)) {
  }
  return true;
}

bool SemanticCache::feedback(const PartitionKey& partition, std::string_view key, CacheFeedback feedback,
                             float similarity) {
  if (!(similarity >= -1 && similarity <= 1)) {
    fail(Status::kInvalidArgument, "similarity is ", similarity, ", expected -1 to 1");
  }
  const CacheKey parsed_key = parsed(key);
  const auto found = find_partition(partition.encoded());
  const auto entry = found ? found->find(parsed_key) : nullptr;
  switch (feedback) {
    case CacheFeedback::kGood:
      ++counters_.good;
      if (entry != nullptr) ++entry->good;
      return note_match(entry, similarity, true);
    case CacheFeedback::kBadAnswer:
      ++counters_.bad_answers;
      return remove(partition, key);
    case CacheFeedback::kBadMatch:
      ++counters_.bad_matches;
      if (entry != nullptr) ++entry->bad;
      return note_match(entry, similarity, false);
    case CacheFeedback::kWouldFit:
    case CacheFeedback::kWouldNotFit:
      return note_match(entry, similarity, feedback == CacheFeedback::kWouldFit);
  }
  fail(Status::kInvalidArgument, "feedback ", static_cast<int>(feedback), " is unknown");
}

size_t SemanticCache::clear(const PartitionKey& partition) {
  const auto found = find_partition(partition.encoded());
  if (!found) return 0;
  const size_t count = found->clear();
  counters_.removals += count;
  drop_if_empty(found);
  return count;
}

size_t SemanticCache::clear() {
  std::vector<PartitionPointer> partitions;
  {
    const std::shared_lock lock(directory_mutex_);
    for (const auto& [key, partition] : directory_) partitions.push_back(partition);
  }
  size_t count = 0;
  for (const auto& partition : partitions) {
    count += partition->clear();
    drop_if_empty(partition);
  }
  counters_.removals += count;
  return count;
}

CacheStats SemanticCache::stats() const {
  CacheStats stats = counters_.read();
  const auto totals = order_.totals();
  stats.entries = totals.entries;
  stats.bytes = totals.bytes;
  {
    const std::shared_lock lock(directory_mutex_);
    stats.partitions = directory_.size();
  }
  if (redis_) stats.redis = redis_->stats();
  return stats;
}

}  // namespace vsr::routing
