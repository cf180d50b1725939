#include "routing/cache/response_cache.h"

#include <algorithm>
#include <utility>

#include "base/blake2b.h"
#include "base/bytes.h"
#include "base/error.h"
#include "routing/cache/answer_check.h"
#include "routing/cache/pair_check.h"

namespace vsr::routing {
namespace {

// Of recipes too, which share the cache.
bool any_plugin(const RouterConfig& config, bool (*test)(const ResponseCachePlugin&)) {
  for (const Recipe& recipe : config.recipes) {
    if (any_plugin(*recipe.config, test)) return true;
  }
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

std::shared_ptr<ResponseCache> ResponseCache::make(const RouterConfig& config, const std::string& fingerprint,
                                                   std::shared_ptr<const inference::Inference> inference,
                                                   base::LogSink log, const ResponseCache* previous) {
  const bool wanted = config.cache.enabled || any_plugin(config, [](const ResponseCachePlugin&) { return true; });
  if (!wanted) return nullptr;
  return std::shared_ptr<ResponseCache>(
      new ResponseCache(config, fingerprint, std::move(inference), std::move(log), previous));
}

ResponseCache::ResponseCache(const RouterConfig& config, const std::string& fingerprint,
                             std::shared_ptr<const inference::Inference> inference, base::LogSink log,
                             const ResponseCache* previous)
    : config_(config),
      fingerprint_(fingerprint),
      inference_(std::move(inference)),
      log_(std::move(log)),
      why_exact_(config.answers_similar() ? why_not_similar(config, *inference_) : ""),
      semantic_(inference_->has_models() && config.answers_similar() && why_exact_.empty()),
      by_user_(any_plugin(config, [](const ResponseCachePlugin& plugin) { return plugin.by_user; })) {
  const auto task = semantic_ ? std::optional(config.embedding_task()) : std::nullopt;
  if (previous != nullptr && previous->store_->serves(config.cache, task, *inference_)) {
    store_ = previous->store_;
    return;
  }
  if (previous != nullptr) previous->store_->save();
  store_ = std::make_shared<CacheStore>(config.cache, task, inference_, log_);
}

void ResponseCache::give_way_to(const ResponseCache* next) const {
  if (next == nullptr || next->store_ == store_) return;
  if (next->config_.cache.snapshot == config_.cache.snapshot) store_->leave_snapshot();
}

std::unique_ptr<CacheTicket> ResponseCache::ticket(const ChatRequest& request, const RequestIdentity& identity,
                                                   const ContextView& context, const std::string& tenant) const {
  if (by_user_ && context.user().empty()) return nullptr;
  auto ticket = std::make_unique<CacheTicket>();
  ticket->text = identity.question;
  ticket->stream = request.stream;
  ticket->store = store_;
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
  auto hit = store_->open().lookup_exact(ticket.partition, ticket.text);
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
    answer = store_->open().lookup_similar(ticket.partition, ticket.text, vector, ticket.threshold,
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
  if (!ticket.storable || !is_own(ticket)) return;
  if (!why_not_kept(response, ticket.stream).empty()) {
    ++store_->refused;
    return;
  }
  store_->open().insert(ticket.partition, ticket.text, ticket.vector, response, ticket.ttl_ms);
}

void ResponseCache::feedback(const CacheTicket& ticket, bool right) {
  if (!is_own(ticket)) return;  // its entry is gone with its cache
  CacheFeedback verdict = right ? CacheFeedback::kGood : CacheFeedback::kBadMatch;
  if (!right && ticket.hit_exact) verdict = CacheFeedback::kBadAnswer;
  if (ticket.held_back) verdict = right ? CacheFeedback::kWouldFit : CacheFeedback::kWouldNotFit;
  store_->open().feedback(ticket.partition, ticket.hit, verdict, ticket.similarity);
}

}  // namespace vsr::routing
