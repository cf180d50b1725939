// The memory of a response cache, opened when it is first needed and saved when the last who uses it is gone. A router
// whose file is read again keeps it where what the file says of it did not change. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/log.h"
#include "inference/inference.h"
#include "routing/cache/semantic_cache.h"
#include "routing/config/cache_config.h"

namespace vsr::routing {

class CacheStore {
 public:
  // `embedding_task`: whose vectors find similar questions; nothing: the same text alone is found.
  CacheStore(CacheConfig config, std::optional<std::string> embedding_task,
             std::shared_ptr<const inference::Inference> inference, base::LogSink log);
  ~CacheStore();
  CacheStore(const CacheStore&) = delete;
  CacheStore& operator=(const CacheStore&) = delete;

  // Throws what the embedding task throws.
  SemanticCache& open();
  // Whether one that is made of these would be the same: also its vectors, which the models tell.
  bool serves(const CacheConfig& config, const std::optional<std::string>& embedding_task,
              const inference::Inference& inference) const;
  // Writes the snapshot now, so that another that begins with it has what is there; errors go to the log.
  void save() const;
  // From now on the snapshot is another's.
  void leave_snapshot();
  // Nothing before the first lookup.
  std::optional<CacheStats> stats() const;

  std::atomic<uint64_t> refused{0};  // answers that were not kept

 private:
  const CacheConfig config_;
  const std::optional<std::string> embedding_task_;
  std::shared_ptr<const inference::Inference> inference_;  // until it is open
  const base::LogSink log_;
  mutable std::mutex mutex_;
  std::unique_ptr<SemanticCache> cache_;
  bool saves_ = false;  // to the snapshot
};

}  // namespace vsr::routing
