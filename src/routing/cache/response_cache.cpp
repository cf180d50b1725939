#include "routing/cache/response_cache.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "routing/cache/pair_check.h"

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
  const double usual = config.cache.semantic.threshold();
  double strictest = config.cache.semantic.enabled ? usual : 0;
  for (const Decision& decision : config.decisions) {
    const auto& plugin = decision.plugins.response_cache;
    if (plugin && plugin->semantic) {
      strictest = std::max(strictest, plugin->similarity_threshold.value_or(usual));
    }
  }
  return strictest;
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
      semantic_(inference_->has_models() &&
                (config.cache.semantic.enabled || any_plugin(config, [](const ResponseCachePlugin& p) { return p.semantic; }))),
      by_user_(any_plugin(config, [](const ResponseCachePlugin& plugin) { return plugin.scope == "user"; })) {}

ResponseCache::~ResponseCache() {
  if (!cache_ || config_.cache.snapshot.empty()) return;
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
  options.least_same = config_.cache.semantic.least_probability;
  options.max_error_rate = config_.cache.semantic.max_error_rate;
  options.seed = static_cast<uint64_t>(config_.cache.semantic.seed);
  options.max_entries = config_.cache.max_entries;
  options.ttl_ms = config_.cache.ttl_seconds * 1000;
  if (!config_.cache.redis.empty()) options.redis = RedisOptions{.address = config_.cache.redis};
  options.log = log_;
  auto cache = std::make_unique<SemanticCache>(options);
  if (!config_.cache.snapshot.empty() && std::filesystem::exists(config_.cache.snapshot)) {
    const size_t entries = cache->load(config_.cache.snapshot);
    base::log(log_, base::LogLevel::kInfo, "response cache: ", entries, " entries from ", config_.cache.snapshot);
  }
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

SimilarAnswer ResponseCache::lookup_similar(CacheTicket& ticket, const std::vector<float>& vector,
                                            const base::CallLimits& limits) {
  ticket.vector = vector;
  const std::string& task = config_.cache.semantic.same_question;
  SimilarAnswer answer;
  try {
    answer = open().lookup_similar(ticket.partition, ticket.text, vector, std::nullopt,
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

void ResponseCache::set_policy(CacheTicket& ticket, const Decision* decision) const {
  const ResponseCachePlugin* plugin =
      decision != nullptr && decision->plugins.response_cache ? &*decision->plugins.response_cache : nullptr;
  ticket.storable = config_.cache.enabled || plugin != nullptr;
  if (!(plugin != nullptr ? plugin->semantic : config_.cache.semantic.enabled)) ticket.vector.clear();
  if (plugin == nullptr) return;
  if (plugin->ttl_seconds) ticket.ttl_ms = *plugin->ttl_seconds * 1000;
}

void ResponseCache::store(const CacheTicket& ticket, std::string_view response) {
  if (ticket.storable) open().insert(ticket.partition, ticket.text, ticket.vector, response, ticket.ttl_ms);
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
