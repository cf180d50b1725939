#include "routing/cache/response_cache.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "routing/cache/cache_snapshot.h"

namespace vsr::routing {
namespace {

using Json = nlohmann::ordered_json;

void blank_text(Json& content) {
  if (content.is_string()) content = "";
  if (!content.is_array()) return;
  for (Json& part : content) {
    if (part.is_object() && part.contains("text")) part["text"] = "";
  }
}

// The request without what may differ between requests that share an answer.
std::string body_without_question(std::string_view body) {
  Json json = Json::parse(body, nullptr, false);
  if (!json.is_object()) return {};
  for (const char* key : {"model", "stream", "stream_options", "user", "metadata"}) json.erase(key);
  if (const auto messages = json.find("messages"); messages != json.end() && messages->is_array()) {
    const auto last = std::find_if(messages->rbegin(), messages->rend(), [](const Json& message) {
      return message.is_object() && message.value("role", "") == "user";
    });
    if (last != messages->rend() && last->contains("content")) blank_text((*last)["content"]);
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool any_plugin(const RouterConfig& config, bool (*test)(const ResponseCachePlugin&)) {
  return std::any_of(config.decisions.begin(), config.decisions.end(), [&](const Decision& decision) {
    return decision.plugins.response_cache && test(*decision.plugins.response_cache);
  });
}

// Lookups come before the decision, so the strictest threshold of any counts for all.
double strictest_threshold(const RouterConfig& config) {
  double strictest = config.cache.enabled ? config.cache.threshold : 0;
  for (const Decision& decision : config.decisions) {
    const auto& plugin = decision.plugins.response_cache;
    if (plugin && plugin->semantic) {
      strictest = std::max(strictest, plugin->similarity_threshold.value_or(config.cache.threshold));
    }
  }
  return strictest;
}

bool wants_vectors(const RouterConfig& config) {
  return config.cache.enabled || any_plugin(config, [](const ResponseCachePlugin& plugin) { return plugin.semantic; });
}

// A cache that could be exact is no reason for every request to fail.
std::string why_no_vectors(const RouterConfig& config, const Inference& inference) {
  if (!inference.has_models()) return {};
  try {
    return inference.missing(config.embedding_task(), TaskUse::kEmbed);
  } catch (const base::Error& error) {
    return error.what();
  }
}

}  // namespace

std::unique_ptr<ResponseCache> ResponseCache::make(const RouterConfig& config, const std::string& fingerprint,
                                                   std::shared_ptr<const Inference> inference, base::LogSink log) {
  const bool wanted = config.cache.enabled || any_plugin(config, [](const ResponseCachePlugin&) { return true; });
  if (!wanted) return nullptr;
  return std::unique_ptr<ResponseCache>(new ResponseCache(config, fingerprint, std::move(inference), std::move(log)));
}

ResponseCache::ResponseCache(const RouterConfig& config, const std::string& fingerprint,
                             std::shared_ptr<const Inference> inference, base::LogSink log)
    : config_(config),
      fingerprint_(fingerprint),
      inference_(std::move(inference)),
      log_(std::move(log)),
      threshold_(strictest_threshold(config)),
      why_exact_(wants_vectors(config) ? why_no_vectors(config, *inference_) : ""),
      semantic_(inference_->has_models() && wants_vectors(config) && why_exact_.empty()),
      by_user_(any_plugin(config, [](const ResponseCachePlugin& plugin) { return plugin.scope == "user"; })) {}

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
  options.threshold = threshold_;
  options.max_entries = config_.cache.max_entries;
  options.ttl_ms = config_.cache.ttl_seconds * 1000;
  if (!config_.cache.redis.empty()) options.redis = RedisOptions{.address = config_.cache.redis};
  options.log = log_;
  auto cache = std::make_unique<SemanticCache>(options);
  if (!config_.cache.snapshot.empty()) saves_ = load_snapshot(*cache, config_.cache.snapshot, log_);
  cache_ = std::move(cache);
  return *cache_;
}

std::unique_ptr<CacheTicket> ResponseCache::ticket(const ChatRequest& request, std::string_view body,
                                                   const RequestContext& context, const std::string& tenant) const {
  const std::string text = request.text(TextScope::kLastUser);
  if (text.empty()) return nullptr;
  auto ticket = std::make_unique<CacheTicket>();
  ticket->text = text;
  ticket->partition.tenant = tenant;
  ticket->partition.model = request.model;
  std::vector<std::string> groups = context.groups;
  std::sort(groups.begin(), groups.end());
  Json policy = {fingerprint_, groups, by_user_ ? context.user : "", request.plain ? "" : body_without_question(body)};
  const std::string whole = policy.dump(-1, ' ', false, Json::error_handler_t::replace);
  ticket->partition.policy = CacheKey::of("policy", whole).hex();
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

SimilarAnswer ResponseCache::lookup_similar(CacheTicket& ticket, const std::vector<float>& vector) {
  ticket.vector = vector;
  SimilarAnswer answer = open().lookup_similar(ticket.partition, ticket.text, vector);
  if (answer.hit) {
    ticket.hit = answer.hit->key;
    ticket.hit_exact = answer.hit->exact;
    ticket.similarity = answer.hit->similarity;
  }
  return answer;
}

void ResponseCache::set_policy(CacheTicket& ticket, const Decision* decision) const {
  const ResponseCachePlugin* plugin =
      decision != nullptr && decision->plugins.response_cache ? &*decision->plugins.response_cache : nullptr;
  ticket.storable = config_.cache.enabled || plugin != nullptr;
  if (plugin != nullptr && plugin->ttl_seconds == 0) ticket.storable = false;
  if (plugin == nullptr) return;
  if (!plugin->semantic) ticket.vector.clear();
  if (plugin->ttl_seconds) ticket.ttl_ms = *plugin->ttl_seconds * 1000;
}

void ResponseCache::store(const CacheTicket& ticket, std::string_view response) {
  if (ticket.storable) open().insert(ticket.partition, ticket.text, ticket.vector, response, ticket.ttl_ms);
}

void ResponseCache::feedback(const CacheTicket& ticket, bool right) {
  const CacheFeedback verdict = right              ? CacheFeedback::kGood
                                : ticket.hit_exact ? CacheFeedback::kBadAnswer
                                                   : CacheFeedback::kBadMatch;
  open().feedback(ticket.partition, ticket.hit, verdict, ticket.similarity);
}

std::optional<CacheStats> ResponseCache::stats() const {
  const std::lock_guard lock(mutex_);
  return cache_ ? std::optional(cache_->stats()) : std::nullopt;
}

}  // namespace vsr::routing
