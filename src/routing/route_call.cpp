#include "routing/route_call.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/stopwatch.h"
#include "routing/compress/compress.h"
#include "routing/config/config_guards.h"
#include "routing/request/request_rewrite.h"
#include "routing/route_explanation.h"
#include "routing/route_pass.h"

namespace vsr::routing {

using base::fail;
using base::Status;

namespace {

class RouteCall {
 public:
  RouteCall(const Router::Parts& parts, std::string_view body, const RouteOptions& options)
      : parts_(parts),
        body_(body),
        options_(options),
        request_(ChatRequest::parse(body)),
        reading_(request_, options.context, parts.config.compression, *parts.options.inference, parts.signals.bank(),
                 options.limits),
        pass_(parts.engine, parts.signals, reading_) {}

  Routed run() {
    const base::Stopwatch watch;
    options_.limits.check();
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
                                     .milliseconds = watch.milliseconds()});
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
    if (ticket_ && answer_from(look_up_exact())) return;
    if (!pass_.run(options_.evaluate_all, [this](ModelNeeds& needs) { return look_up_similar(needs); })) return;
    const Decision* decision = settle(config(), pass_.evaluation().winner(), routed_);
    refuse_unguarded(decision);
    if (routed_.outcome != RouteOutcome::kRespond) forward(decision);
  }

  // What blocks or protects a request and is not run must not be gone past.
  void refuse_unguarded(const Decision* decision) {
    if (const auto overlooked = pass_.evaluation().overlooked()) {
      fail(Status::kUnsupported, overlooked_guard(config().decisions[*overlooked], config()));
    }
    if (decision != nullptr && !decision->plugins.guard_not_run.empty()) {
      fail(Status::kUnsupported, decision->plugins.guard_not_run, " is not run, and decision \"", decision->name,
           "\" is not safe without it");
    }
  }

  std::optional<CacheHit> look_up_exact() {
    const base::Stopwatch watch;
    auto hit = parts_.cache->lookup_exact(*ticket_);
    parts_.metrics.count_lookup("exact", watch.seconds());
    return hit;
  }

  // The question's vector is computed with those that signals need. True: the cache has the answer.
  bool look_up_similar(ModelNeeds& needs) {
    if (!ticket_ || !parts_.cache->semantic()) return false;
    const TextId text = reading_.whole(TextScope::kLastUser);
    // A prompt so long that it is compressed is found by its exact text only: embedding all of it would cost more than
    // what the cache saves.
    if (text != reading_.decisive(TextScope::kLastUser)) return false;
    needs.embeddings.push_back(text);
    reading_.compute({.embeddings = needs.embeddings});
    const base::Stopwatch watch;
    const SimilarAnswer answer = parts_.cache->lookup_similar(*ticket_, reading_.vector(text));
    parts_.metrics.count_lookup("semantic", watch.seconds());
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
    forward_to(choice, routed_);
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

}  // namespace

Routed route_request(const Router::Parts& parts, std::string_view body, const RouteOptions& options) {
  return RouteCall(parts, body, options).run();
}

}  // namespace vsr::routing
