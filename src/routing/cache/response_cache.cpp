#include "routing/cache/response_cache.h"

#include <algorithm>
#include <utility>

#include "base/blake2b.h"
#include "base/bytes.h"
#include "base/error.h"
#include "routing/cache/answer_check.h"
#include "routing/cache/cache_snapshot.h"
#include "routing/cache/pair_check.h"

namespace vsr::routing {
namespace {

bool any_plugin(const RouterConfig& config, bool (*test)(const ResponseCachePlugin&)) {
  return std::any_of(config.decisions.begin(), config.decisions.end(), [&](const Decision& decision) {
    return decision.plugins.response_cache && test(*decision.plugins.response_cache);
  });
}

const ResponseCachePlugin* plugin_of(const Decision* decision) {
  return decision != nullptr && decision->plugins.response_cache ? &*decision->plugins.response_cache : nullptr;
}

std::string route_of(const Decision* decision, const ModelChoice& choice) {
  base::ByteWriter route;
  route.text(decision != nullptr ? decision->name : "");
  route.text(choice.model);
  route.text(choice.lora);
  route.text(!choice.reasoning ? "" : *choice.reasoning ? "on" : "off");
  route.text(choice.effort);
  return route.take();
}

// A cache that could be exact is no reason for every request to fail.
std::string why_not_similar(const RouterConfig& config, const inference::Inference& inference) {
  if (!inference.has_models()) return {};
  const std::string& pairs = config.cache.semantic.same_question;
  try {
    std::string why = inference.missing(config.embedding_task(), inference::TaskUse::kEmbed);
    return why.empty() && !pairs.empty() ? inference.missing(pairs, inference::TaskUse::kClassify) : why;
  } catch (const base::Error& error) {
    return error.what();
  }
}

}  // namespace

std::unique_ptr<ResponseCache> ResponseCache::make(const RouterConfig& config, const std::string& fingerprint,
                                                   std::shared_ptr<const inference::Inference> inference,
                                                   base::LogSink log) {
  const bool wanted = config.cache.enabled || any_plugin(config, [](const ResponseCachePlugin&) { return true; });
  if (!wanted) return nullptr;
  return std::unique_ptr<ResponseCache>(new ResponseCache(config, fingerprint, std::move(inference), std::move(log)));
}

ResponseCache::ResponseCache(const RouterConfig& config, const std::string& fingerprint,
                             std::shared_ptr<const inference::Inference> inference, base::LogSink log)
    : config_(config),
      fingerprint_(fingerprint),
      inference_(std::move(inference)),
      log_(std::move(log)),
      why_exact_(config.answers_similar() ? why_not_similar(config, *inference_) : ""),
      semantic_(inference_->has_models() && config.answers_similar() && why_exact_.empty()),
      by_user_(any_plugin(config, [](const ResponseCachePlugin& plugin) { return plugin.by_user; })) {}

ResponseCache::~ResponseCache() {
  if (!cache_ || !saves_) return;
  try {
    cache_->save(config_.cache.snapshot);
  } catch (const std::exception& error) {
    base::log(log_, base::LogLevel::kError, "response cache: ", error.what());
  }
}

SemanticCache& ResponseCache::open() {
  const std::lock_guard lock(mutex_);
  if (cache_) return *cache_;
  CacheOptions options;
  if (semantic_) {
    const auto embedder = inference_->embedder(config_.embedding_task());
    options.dim = embedder->dim();
    options.fingerprint = embedder->fingerprint();
  }
  const SemanticHits& semantic = config_.cache.semantic;
  options.threshold = semantic.threshold();
  options.least_same = semantic.least_probability;
  options.max_error_rate = semantic.max_error_rate;
  options.seed = static_cast<uint64_t>(semantic.seed);
  options.max_entries = config_.cache.max_entries;
  options.max_bytes = config_.cache.max_bytes;
  options.ttl_ms = config_.cache.ttl_seconds * 1000;
  if (!config_.cache.redis.empty()) options.redis = RedisOptions{.address = config_.cache.redis};
  options.log = log_;
  auto cache = std::make_unique<SemanticCache>(options);
  if (!config_.cache.snapshot.empty()) saves_ = load_snapshot(*cache, config_.cache.snapshot, log_);
  cache_ = std::move(cache);
  return *cache_;
}

std::unique_ptr<CacheTicket> ResponseCache::ticket(const ChatRequest& request, const RequestIdentity& identity,
                                                   const ContextView& context, const std::string& tenant) const {
  if (by_user_ && context.user().empty()) return nullptr;
  auto ticket = std::make_unique<CacheTicket>();
  ticket->text = identity.question;
  ticket->stream = request.stream;
  ticket->partition.tenant = tenant;
  ticket->partition.model = request.model;
  base::Blake2b digest;
  digest.add_text("vsr response cache 2");
  digest.add_text(fingerprint_);
  context.add_to(digest);
  digest.add_text(identity.rest);
  ticket->partition.policy = digest.finish();
  return ticket;
}

std::optional<CacheHit> ResponseCache::lookup_exact(CacheTicket& ticket) {
  auto hit = open().lookup_exact(ticket.partition, ticket.text);
  if (hit) {
    ticket.hit = hit->key;
    ticket.hit_exact = true;
    ticket.similarity = 1;
  }
  return hit;
}

SimilarAnswer ResponseCache::lookup_similar(CacheTicket& ticket, const std::vector<float>& vector,
                                            const base::CallLimits& limits) {
  ticket.vector = vector;
  const std::string& task = config_.cache.semantic.same_question;
  SimilarAnswer answer;
  try {
    answer = open().lookup_similar(ticket.partition, ticket.text, vector, ticket.threshold,
                                   task.empty() ? PairCheck() : pair_check(*inference_, task, limits));
  } catch (const std::exception& error) {
    limits.check();
    if (!check_failed_.exchange(true)) {
      base::log(log_, base::LogLevel::kError, "response cache: similar questions get no answers: ", error.what());
    }
    answer.veto = error.what();
    return answer;
  }
  if (const auto& match = answer.hit ? answer.hit : answer.held_back) {
    ticket.hit = match->key;
    ticket.hit_exact = match->exact;
    ticket.held_back = !answer.hit;
    ticket.similarity = match->similarity;
  }
  return answer;
}

void ResponseCache::set_route(CacheTicket& ticket, const Decision* decision, const ModelChoice& choice) const {
  const ResponseCachePlugin* plugin = plugin_of(decision);
  ticket.partition.route = route_of(decision, choice);
  ticket.storable = config_.cache.enabled || plugin != nullptr;
  if (plugin != nullptr && plugin->ttl_seconds == 0) ticket.storable = false;
  const bool similar = plugin != nullptr ? plugin->semantic : config_.cache.semantic.enabled;
  ticket.similar = semantic_ && ticket.storable && similar;
  if (plugin == nullptr) return;
  ticket.threshold = plugin->similarity_threshold;
  if (plugin->ttl_seconds) ticket.ttl_ms = *plugin->ttl_seconds * 1000;
}

void ResponseCache::store(const CacheTicket& ticket, std::string_view response) {
  if (!ticket.storable) return;
  if (!why_not_kept(response, ticket.stream).empty()) {
    ++refused_;
    return;
  }
  open().insert(ticket.partition, ticket.text, ticket.vector, response, ticket.ttl_ms);
}

void ResponseCache::feedback(const CacheTicket& ticket, bool right) {
  CacheFeedback verdict = right ? CacheFeedback::kGood : CacheFeedback::kBadMatch;
  if (!right && ticket.hit_exact) verdict = CacheFeedback::kBadAnswer;
  if (ticket.held_back) verdict = right ? CacheFeedback::kWouldFit : CacheFeedback::kWouldNotFit;
  open().feedback(ticket.partition, ticket.hit, verdict, ticket.similarity);
}

std::optional<CacheStats> ResponseCache::stats() const {
  const std::lock_guard lock(mutex_);
  return cache_ ? std::optional(cache_->stats()) : std::nullopt;
}

}  // namespace vsr::routing
