#include "routing/router.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/mmap.h"
#include "routing/compress.h"
#include "routing/model_choice.h"
#include "routing/request_rewrite.h"
#include "routing/response_cache.h"
#include "routing/route_explanation.h"
#include "routing/route_pass.h"
#include "routing/router_config.h"
#include "routing/router_metrics.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::LogLevel;
using base::Status;
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::vector<SignalRef> names_of(const DecisionEngine& engine) {
  std::vector<SignalRef> names;
  for (const DecisionProgram::Leaf& leaf : engine.signals()) names.push_back(leaf.ref);
  return names;
}

// Domains whose scores choose between models, which no rule may have asked for.
std::vector<SignalRef> scored_domains(const RouterConfig& config) {
  std::vector<SignalRef> names;
  for (const DomainRule& rule : config.signals.domains) {
    if (!rule.model_scores.empty()) names.push_back({"domain", rule.name});
  }
  return names;
}

std::vector<SignalRef> joined(std::vector<SignalRef> names, const std::vector<SignalRef>& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

// What a server of OpenAI's API would send.
std::string completion_of(const std::string& answer) {
  const Json message = {{"role", "assistant"}, {"content", answer}};
  const Json json = {{"id", "vsr-fast-response"},
                     {"object", "chat.completion"},
                     {"created", static_cast<int64_t>(std::time(nullptr))},
                     {"model", "vsr"},
                     {"choices", {{{"index", 0}, {"message", message}, {"finish_reason", "stop"}}}}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

struct Router::Parts {
  Parts(RouterConfig loaded, const std::string& fingerprint, RouterOptions given)
      : config(std::move(loaded)),
        options(std::move(given)),
        engine(config),
        scored(scored_domains(config)),
        signals(config, joined(names_of(engine), scored)),
        cache(ResponseCache::make(config, fingerprint, options.inference, options.log)),
        metrics(cache.get()) {}

  const RouterConfig config;
  const RouterOptions options;
  const DecisionEngine engine;
  const std::vector<SignalRef> scored;  // numbered behind the engine's signals
  const SignalSet signals;
  const std::unique_ptr<ResponseCache> cache;
  mutable RouterMetrics metrics;
};

// One call of Router::route().
class RouteCall {
 public:
  RouteCall(const Router::Parts& parts, std::string_view body, const RouteOptions& options)
      : parts_(parts),
        body_(body),
        options_(options),
        request_(ChatRequest::parse(body)),
        reading_(request_, options.context, parts.config.compression, *parts.options.inference, parts.signals.bank()),
        pass_(parts.engine, parts.signals, reading_) {}

  Routed run() {
    const auto start = Clock::now();
    if (is_routed()) {
      route();
    } else {
      pass_through();
    }
    collect_signals();
    if (options_.explain) {
      routed_.explanation = explain(pass_.evaluation(), parts_.config,
                                    {.routed = routed_,
                                     .notes = notes_,
                                     .tokens = reading_.cheap_tokens(),
                                     .tokens_estimated = reading_.tokens_estimated(),
                                     .model_passes = reading_.passes(),
                                     .milliseconds = 1000 * seconds_since(start)});
    }
    return std::move(routed_);
  }

 private:
  const RouterConfig& config() const { return parts_.config; }

  bool is_routed() const {
    const auto& names = config().catalog.auto_names;
    return request_.model.empty() || std::find(names.begin(), names.end(), request_.model) != names.end();
  }

  void pass_through() {
    routed_.outcome = RouteOutcome::kPassthrough;
    routed_.model = request_.model;
    routed_.request = body_;
    notes_.push_back("the request names its own model");
  }

  void route() {
    if (!config().route_refusal.empty()) fail(Status::kUnsupported, config().route_refusal);
    if (parts_.cache) ticket_ = parts_.cache->ticket(request_, body_, options_.context, options_.tenant);
    if (ticket_ && answer_from(parts_.cache->lookup_exact(*ticket_))) return;
    if (!pass_.run(options_.evaluate_all, [this](ModelNeeds& needs) { return look_up_similar(needs); })) return;
    const Winner winner = pass_.evaluation().winner();
    const Decision* decision =
        winner.decision == Winner::kNone ? nullptr : &config().decisions[static_cast<size_t>(winner.decision)];
    if (decision != nullptr) {
      routed_.decision = decision->name;
      routed_.confidence = winner.confidence;
    }
    if (decision != nullptr && decision->plugins.fast_response) {
      routed_.outcome = RouteOutcome::kRespond;
      routed_.response = completion_of(*decision->plugins.fast_response);
      return;
    }
    forward(decision);
  }

  // The question's vector is computed with those that signals need. True: the cache has the answer.
  bool look_up_similar(ModelNeeds& needs) {
    if (!ticket_ || !parts_.cache->semantic()) return false;
    const TextId text = reading_.whole(TextScope::kLastUser);
    needs.embeddings.push_back(text);
    reading_.compute({.embeddings = needs.embeddings});
    const SimilarAnswer answer = parts_.cache->lookup_similar(*ticket_, reading_.vector(text));
    if (!answer.veto.empty()) notes_.push_back("cached answer not used: " + answer.veto);
    return answer_from(answer.hit);
  }

  bool answer_from(const std::optional<CacheHit>& hit) {
    if (!hit) return false;
    routed_.outcome = RouteOutcome::kCached;
    routed_.response = *hit->response;
    notes_.push_back(std::string(hit->exact ? "the same question" : "a similar question") + " was answered before");
    routed_.ticket = std::move(ticket_);
    return true;
  }

  void forward(const Decision* decision) {
    const DomainRule* domain = scores_matter(decision) ? best_domain() : nullptr;
    const int64_t tokens = reading_.cheap_tokens();
    const ModelChoice choice =
        choose_model(config().catalog,
                     {.requested = request_.model, .decision = decision, .domain = domain, .prompt_tokens = tokens});
    const bool prompted = decision != nullptr && decision->plugins.system_prompt;
    const int64_t added = prompted ? static_cast<int64_t>(estimate_tokens(decision->plugins.system_prompt->text)) : 0;
    const RequestPlan plan = plan_request(config().catalog, decision, choice, tokens + added);
    RewrittenRequest rewritten = rewrite_request(body_, plan);
    routed_.outcome = RouteOutcome::kForward;
    routed_.model = choice.model;
    if (!choice.lora.empty()) routed_.lora = choice.lora;
    routed_.reasoning = choice.reasoning.value_or(false);
    if (routed_.reasoning) routed_.effort = choice.effort;
    routed_.request = std::move(rewritten.body);
    notes_.insert(notes_.end(), choice.notes.begin(), choice.notes.end());
    notes_.insert(notes_.end(), rewritten.notes.begin(), rewritten.notes.end());
    if (decision != nullptr && decision->plugins.header_mutation) {
      routed_.headers = plan_headers(*decision->plugins.header_mutation, options_.context.headers);
    }
    if (ticket_) {
      parts_.cache->set_policy(*ticket_, decision);
      routed_.ticket = std::move(ticket_);
    }
  }

  // Whether a domain's scores could choose between the decision's models.
  bool scores_matter(const Decision* decision) const {
    return decision != nullptr && !parts_.scored.empty() && decision->models.size() != 1;
  }

  // The matching domain of the highest confidence among those that score models.
  const DomainRule* best_domain() {
    std::vector<uint32_t> ids;
    for (size_t i = 0; i < parts_.scored.size(); ++i) {
      ids.push_back(static_cast<uint32_t>(parts_.engine.signals().size() + i));
    }
    const size_t first = pass_.reports().size();
    pass_.evaluate(ids);
    const SignalReport* best = nullptr;
    for (size_t i = first; i < pass_.reports().size(); ++i) {
      const SignalReport& report = pass_.reports()[i];
      if (!report.value.matched) continue;
      if (best == nullptr || report.value.confidence > best->value.confidence) best = &report;
    }
    if (best == nullptr) return nullptr;
    const std::string& name = parts_.scored[best->id - parts_.engine.signals().size()].name;
    for (const DomainRule& rule : config().signals.domains) {
      if (rule.name == name) return &rule;
    }
    return nullptr;
  }

  // A signal that rules and scores both asked for is listed once.
  void collect_signals() {
    for (const SignalReport& report : pass_.reports()) {
      const size_t rules = parts_.engine.signals().size();
      const SignalRef& ref =
          report.id < rules ? parts_.engine.signals()[report.id].ref : parts_.scored[report.id - rules];
      const std::string name = ref.key();
      const auto same = [&](const EvaluatedSignal& signal) { return signal.name == name; };
      if (std::any_of(routed_.signals.begin(), routed_.signals.end(), same)) continue;
      routed_.signals.push_back({name, report.value, report.milliseconds});
    }
  }

  const Router::Parts& parts_;
  std::string_view body_;
  const RouteOptions& options_;
  const ChatRequest request_;
  RequestReading reading_;
  RoutePass pass_;
  std::unique_ptr<CacheTicket> ticket_;
  Routed routed_;
  std::vector<std::string> notes_;
};

std::shared_ptr<const Router> Router::open(const std::string& config_path, RouterOptions options) {
  const base::MappedFile file(config_path);
  RouterConfig config = parse_router_config(file.text(), config_path, options.lenient);
  const std::string fingerprint = CacheKey::of("config", file.text()).hex();
  for (const std::string& warning : config.warnings) base::log(options.log, LogLevel::kWarning, warning);
  for (const std::string& skipped : config.skipped) base::log(options.log, LogLevel::kWarning, "skipped: ", skipped);
  auto parts = std::make_unique<const Parts>(std::move(config), fingerprint, std::move(options));
  return std::shared_ptr<const Router>(new Router(std::move(parts)));
}

Router::Router(std::unique_ptr<const Parts> parts) : parts_(std::move(parts)) {}
Router::~Router() = default;

Routed Router::route(std::string_view request, const RouteOptions& options) const {
  const auto start = Clock::now();
  try {
    Routed routed = RouteCall(*parts_, request, options).run();
    parts_->metrics.count(routed, seconds_since(start));
    return routed;
  } catch (...) {
    parts_->metrics.count_error();
    throw;
  }
}

Routed Router::decide(std::span<const GivenSignal> signals) const {
  std::map<std::string, double> given;
  for (const GivenSignal& signal : signals) {
    if (!given.emplace(signal.name, signal.confidence).second) {
      fail(Status::kInvalidArgument, "signal \"", signal.name, "\" is given twice");
    }
  }
  const Winner winner = parts_->engine.decide(given);
  Routed routed;
  const Decision* decision = nullptr;
  if (winner.decision != Winner::kNone) {
    decision = &parts_->config.decisions[static_cast<size_t>(winner.decision)];
    routed.decision = decision->name;
    routed.confidence = winner.confidence;
  }
  if (decision != nullptr && decision->plugins.fast_response) {
    routed.outcome = RouteOutcome::kRespond;
    routed.response = completion_of(*decision->plugins.fast_response);
    return routed;
  }
  if (decision == nullptr && parts_->config.catalog.default_model.empty()) return routed;
  const ModelChoice choice = choose_model(parts_->config.catalog, {.decision = decision});
  routed.outcome = RouteOutcome::kForward;
  routed.model = choice.model;
  if (!choice.lora.empty()) routed.lora = choice.lora;
  routed.reasoning = choice.reasoning.value_or(false);
  if (routed.reasoning) routed.effort = choice.effort;
  return routed;
}

void Router::store(const Routed& routed, std::string_view response) const {
  if (parts_->cache && routed.ticket && routed.outcome == RouteOutcome::kForward) {
    parts_->cache->store(*routed.ticket, response);
  }
}

void Router::feedback(const Routed& routed, bool right) const {
  if (routed.outcome != RouteOutcome::kCached || !routed.ticket || !parts_->cache) {
    fail(Status::kInvalidArgument, "decision: its answer did not come from the response cache");
  }
  parts_->cache->feedback(*routed.ticket, right);
}

std::string Router::describe() const {
  const RouterConfig& config = parts_->config;
  Json json = {{"path", config.path}, {"strategy", config.strategy == Strategy::kPriority ? "priority" : "confidence"}};
  json["decisions"] = Json::array();
  for (const Decision& decision : config.decisions) {
    Json models = Json::array();
    for (const ModelRef& ref : decision.models) models.push_back(ref.model);
    json["decisions"].push_back({{"name", decision.name},
                                 {"description", decision.description},
                                 {"priority", decision.priority},
                                 {"tier", decision.tier},
                                 {"models", models}});
  }
  json["signals"] = Json::array();
  for (const SignalRef& name : config.signal_names) json["signals"].push_back(name.key());
  json["models"] = Json::array();
  for (const CatalogModel& model : config.catalog.models) {
    json["models"].push_back({{"name", model.name}, {"context_window", model.context_window}});
  }
  json["default_model"] = config.catalog.default_model;
  json["warnings"] = config.warnings;
  json["skipped"] = config.skipped;
  json["cache"] = nullptr;
  if (const auto stats = parts_->cache ? parts_->cache->stats() : std::nullopt) {
    json["cache"] = {{"entries", stats->entries},        {"lookups", stats->exact_lookups},
                     {"exact_hits", stats->exact_hits},  {"semantic_hits", stats->similar_hits},
                     {"vetoes", stats->vetoes},          {"hit_rate", stats->hit_rate()},
                     {"error_rate", stats->error_rate()}};
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Router::metrics() const { return parts_->metrics.render(); }

}  // namespace vsr::routing
