// The semantic cache as the router uses it: which requests may share an answer, and when one is looked for.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "routing/cache/semantic_cache.h"
#include "routing/config/router_config.h"
#include "routing/inference.h"
#include "routing/request/chat_request.h"

namespace vsr::routing {

// Where the answer of one request belongs.
struct CacheTicket {
  PartitionKey partition;
  std::string text;           // the last user turn
  std::vector<float> vector;  // its embedding; empty: exact hits only
  bool storable = false;      // the decision lets its answers be kept
  std::optional<int64_t> ttl_ms = std::nullopt;
  std::string hit;  // key of the entry that answered; empty: none
  bool hit_exact = false;
  float similarity = 0;
};

// Requests share answers when they differ in nothing but the last user turn: the tenant, the requested model, the
// sender's groups, the router's config, system prompts, earlier turns, tools, images and parameters are all part of the
// partition. Thread-safe.
class ResponseCache {
 public:
  // Null when the config has no cache. Opens nothing yet: vectors need a model. `fingerprint` tells this config from
  // others; `config` outlives the cache.
  static std::unique_ptr<ResponseCache> make(const RouterConfig& config, const std::string& fingerprint,
                                             std::shared_ptr<const Inference> inference, base::LogSink log);
  ~ResponseCache();

  // Null for a request without a user turn.
  std::unique_ptr<CacheTicket> ticket(const ChatRequest& request, std::string_view body, const RequestContext& context,
                                      const std::string& tenant) const;

  std::optional<CacheHit> lookup_exact(CacheTicket& ticket);
  bool semantic() const { return semantic_; }
  // Why similar questions are not found though the config asks for them; empty: they are, or it does not.
  const std::string& why_exact() const { return why_exact_; }
  // Opens what the first lookup would.
  void prepare() { open(); }
  // `vector` is of ticket.text.
  SimilarAnswer lookup_similar(CacheTicket& ticket, const std::vector<float>& vector);
  // What the decision says of keeping the answer.
  void set_policy(CacheTicket& ticket, const Decision* decision) const;

  void store(const CacheTicket& ticket, std::string_view response);
  void feedback(const CacheTicket& ticket, bool right);
  // Nothing before the first lookup.
  std::optional<CacheStats> stats() const;

 private:
  ResponseCache(const RouterConfig& config, const std::string& fingerprint, std::shared_ptr<const Inference> inference,
                base::LogSink log);
  SemanticCache& open();

  const RouterConfig& config_;
  std::string fingerprint_;
  std::shared_ptr<const Inference> inference_;
  base::LogSink log_;
  double threshold_;
  std::string why_exact_;
  bool semantic_;
  bool by_user_;
  mutable std::mutex mutex_;
  std::unique_ptr<SemanticCache> cache_;
  bool saves_ = false;  // to the snapshot, when closed
};

}  // namespace vsr::routing
