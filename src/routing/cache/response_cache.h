// The semantic cache as the router uses it: which requests may share an answer, and which answers are kept.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "inference/inference.h"
#include "routing/cache/cache_store.h"
#include "routing/config/router_config.h"
#include "routing/decision/model_choice.h"
#include "routing/request/context_view.h"
#include "routing/request/request_identity.h"

namespace vsr::routing {

// Where the answer of one request belongs.
struct CacheTicket {
  PartitionKey partition;
  std::string text;           // the question
  bool stream = false;        // the shape of its answers
  std::vector<float> vector;  // its embedding; empty: exact hits only
  bool storable = false;      // the decision lets its answers be kept
  bool similar = false;       // the decision lets similar questions have them
  std::optional<double> threshold = std::nullopt;
  std::optional<int64_t> ttl_ms = std::nullopt;
  std::string hit;  // key of the entry that answered; empty: none
  bool hit_exact = false;
  bool held_back = false;  // that entry did not answer: too little is known of such matches
  float similarity = 0;
  std::weak_ptr<const CacheStore> store = {};  // of whose memory this is
};

// Two requests share an answer when they come from the same tenant, look the same through the ContextView (so that no
// signal or plugin can tell their senders apart) and their bodies differ in nothing but the wording of the question;
// and unless the wording is the same too, when the same was decided about both: decision, model, adapter and effort. So
// a similar question is only looked for after its own signals have been evaluated. Thread-safe.
class ResponseCache {
 public:
  // Null when the config has no cache. Opens nothing yet: vectors need a model. `fingerprint` tells what configs decide
  // from what others do; `config` outlives all calls but stats() and refused(). The memory of `previous` (null: none)
  // is taken over where it fits.
  static std::shared_ptr<ResponseCache> make(const RouterConfig& config, const std::string& fingerprint,
                                             std::shared_ptr<const inference::Inference> inference, base::LogSink log,
                                             const ResponseCache* previous = nullptr);

  // Null for a request whose answer is nobody else's: one of nobody, where answers belong to users.
  std::unique_ptr<CacheTicket> ticket(const ChatRequest& request, const RequestIdentity& identity,
                                      const ContextView& context, const std::string& tenant) const;

  // Whether similar questions may share answers, so that it pays to embed one along with what signals need.
  bool semantic() const { return semantic_; }
  // Why similar questions are not found though the config asks for them; empty: they are, or it does not.
  const std::string& why_exact() const { return why_exact_; }
  // Opens what the first lookup would.
  void prepare() { store_->open(); }
  // Another has come in its place: a snapshot that is not shared with `next` (null: none) is no longer this one's.
  void give_way_to(const ResponseCache* next) const;
  std::optional<CacheHit> lookup_exact(CacheTicket& ticket);
  // What was decided about the request, and what the decision says of its answer.
  void set_route(CacheTicket& ticket, const Decision* decision, const ModelChoice& choice) const;
  // After set_route(). `vector` is of ticket.text. A pair check that fails is a miss, logged once; one that the limits
  // end ends the call.
  SimilarAnswer lookup_similar(CacheTicket& ticket, const std::vector<float>& vector, const base::CallLimits& limits);

  // Keeps what why_not_kept() has nothing against.
  void store(const CacheTicket& ticket, std::string_view response);
  void feedback(const CacheTicket& ticket, bool right);
  // Nothing before the first lookup.
  std::optional<CacheStats> stats() const { return store_->stats(); }
  // Answers that were not kept because they were empty, cut off or errors.
  uint64_t refused() const { return store_->refused; }

 private:
  ResponseCache(const RouterConfig& config, const std::string& fingerprint,
                std::shared_ptr<const inference::Inference> inference, base::LogSink log,
                const ResponseCache* previous);
  // Whether the ticket is for the memory that is in use: not so after the file's cache has changed.
  bool is_own(const CacheTicket& ticket) const { return ticket.store.lock() == store_; }

  const RouterConfig& config_;
  std::string fingerprint_;
  std::shared_ptr<const inference::Inference> inference_;
  base::LogSink log_;
  std::string why_exact_;
  bool semantic_;
  bool by_user_;
  std::atomic<bool> check_failed_{false};
  std::shared_ptr<CacheStore> store_;
};

}  // namespace vsr::routing
