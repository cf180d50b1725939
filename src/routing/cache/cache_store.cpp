#include "routing/cache/cache_store.h"

#include <utility>

#include "routing/cache/cache_snapshot.h"

namespace vsr::routing {

CacheStore::CacheStore(CacheConfig config, std::optional<std::string> embedding_task,
                       std::shared_ptr<const inference::Inference> inference, base::LogSink log)
    : config_(std::move(config)),
      embedding_task_(std::move(embedding_task)),
      inference_(std::move(inference)),
      log_(std::move(log)) {}

CacheStore::~CacheStore() { save(); }

SemanticCache& CacheStore::open() {
  const std::lock_guard lock(mutex_);
  if (cache_) return *cache_;
  CacheOptions options;
  if (embedding_task_) {
    const auto embedder = inference_->embedder(*embedding_task_);
    options.dim = embedder->dim();
    options.fingerprint = embedder->fingerprint();
  }
  const SemanticHits& semantic = config_.semantic;
  options.threshold = semantic.threshold();
  options.least_same = semantic.least_probability;
  options.max_error_rate = semantic.max_error_rate;
  options.seed = static_cast<uint64_t>(semantic.seed);
  options.max_entries = config_.max_entries;
  options.max_bytes = config_.max_bytes;
  options.ttl_ms = config_.ttl_seconds * 1000;
  if (!config_.redis.empty()) options.redis = RedisOptions{.address = config_.redis};
  options.log = log_;
  auto cache = std::make_unique<SemanticCache>(options);
  if (!config_.snapshot.empty()) saves_ = load_snapshot(*cache, config_.snapshot, log_);
  cache_ = std::move(cache);
  inference_.reset();  // models that are replaced later are not kept for it
  return *cache_;
}

bool CacheStore::serves(const CacheConfig& config, const std::optional<std::string>& embedding_task,
                        const inference::Inference& inference) const {
  if (!(config == config_) || embedding_task != embedding_task_) return false;
  if (!embedding_task) return true;
  const std::lock_guard lock(mutex_);
  if (!cache_) return &inference == inference_.get();
  return inference.embedder(*embedding_task)->fingerprint() == cache_->options().fingerprint;
}

void CacheStore::save() const {
  const std::lock_guard lock(mutex_);
  if (!cache_ || !saves_) return;
  try {
    cache_->save(config_.snapshot);
  } catch (const std::exception& error) {
    base::log(log_, base::LogLevel::kError, "response cache: ", error.what());
  }
}

void CacheStore::leave_snapshot() {
  const std::lock_guard lock(mutex_);
  saves_ = false;
}

std::optional<CacheStats> CacheStore::stats() const {
  const std::lock_guard lock(mutex_);
  return cache_ ? std::optional(cache_->stats()) : std::nullopt;
}

}  // namespace vsr::routing
