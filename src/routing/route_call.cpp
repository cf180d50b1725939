#include "routing/route_call.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/checkpoint.h"
#include "base/error.h"
#include "base/stopwatch.h"
#include "routing/answer_guards.h"
#include "routing/compress/token_estimate.h"
#include "routing/config/guards.h"
#include "routing/request/request_identity.h"
#include "routing/request/request_members.h"
#include "routing/rewrite/request_rewrite.h"
#include "routing/route_explanation.h"
#include "routing/route_pass.h"

namespace vsr::routing {

using base::fail;
using base::Status;

namespace {

class RouteCall {
 public:
  RouteCall(const RouterParts& parts, std::string_view body, const RouteOptions& options)
      : parts_(parts),
        body_(body),
        options_(options),
        json_(is_json_request(body) ? std::optional<RequestJson>(body) : std::nullopt),
        request_(json_ ? ChatRequest::read(*json_) : ChatRequest::of_text(body)),
        context_(options.context, parts.reads),
        reading_(request_, context_, parts.config.compression, *parts.options.inference, parts.signals.bank(),
                 options.limits),
        pass_(parts.engine, parts.signals, reading_) {}

  Routed run() {
    const base::Stopwatch watch;
    options_.limits.check();
    if (is_routed() && parts_.cache) take_ticket();
    json_.reset();
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
                                     .read = safety_readings(),
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
    if (config().passthrough == Passthrough::kRefuse)
      fail(Status::kInvalidArgument, "request: model is \"", shown(request_.model), "\", expected ",
           config().catalog.auto_names.front(), ": this router refuses requests that name a model (vsr.passthrough)");
    if (config().passthrough == Passthrough::kCheck && is_blocked()) return;
    routed_.outcome = RouteOutcome::kPassthrough;
    routed_.model = request_.model;
    routed_.request = body_;
    notes_.push_back("the request names its own model");
  }

  // Whether the decision that an unnamed model would be chosen by has an answer of its own.
  bool is_blocked() {
    if (!config().route_refusal.empty()) fail(Status::kUnsupported, config().route_refusal);
    pass_.run(options_.evaluate_all, {});
    const Winner winner = pass_.evaluation().winner();
    const bool none = winner.decision == Winner::kNone;
    const Decision* decision = none ? nullptr : &config().decisions[static_cast<size_t>(winner.decision)];
    refuse_unguarded(decision);
    if (decision == nullptr || !decision->plugins.fast_response) {
      routed_.answer = answer_guards(config(), decision, request_);
      return false;
    }
    settle(config(), winner, request_, routed_);
    return true;
  }

  void route() {
    if (!config().route_refusal.empty()) fail(Status::kUnsupported, config().route_refusal);
    if (ticket_ && answer_from(look_up_exact())) return;
    const std::optional<TextId> question = similar_question();
    pass_.run(options_.evaluate_all, question ? std::vector{*question} : std::vector<TextId>{});
    // What a failed signal let through is not what the same request gets when it works.
    if (any_failed()) ticket_.reset();
    const Decision* decision = settle(config(), pass_.evaluation().winner(), request_, routed_);
    refuse_unguarded(decision);
    if (routed_.outcome == RouteOutcome::kRespond) return;
    const ModelChoice choice = choose(decision);
    if (ticket_) {
      parts_.cache->set_route(*ticket_, decision, choice);
      if (question && ticket_->similar && answer_from(look_up_similar(*question))) return;
    }
    forward(decision, choice);
  }

  void take_ticket() {
    const auto identity = identity_of(request_, json_ ? &*json_ : nullptr);
    if (identity) ticket_ = parts_.cache->ticket(request_, *identity, context_, options_.tenant);
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
    parts_.metrics->count_lookup("exact", watch.seconds());
    return hit;
  }

  // The text whose embedding finds similar questions; nothing where there is none to look for. A prompt so long that it
  // is compressed is found by its exact text only: embedding all of it would cost more than what the cache saves. So is
  // a turn of several texts, whose question is only one of them.
  std::optional<TextId> similar_question() {
    if (!ticket_ || !parts_.cache->semantic()) return std::nullopt;
    const TextId text = reading_.whole(TextScope::kLastUser);
    if (text != reading_.decisive(TextScope::kLastUser) || reading_.text(text) != ticket_->text) return std::nullopt;
    return text;
  }

  bool any_failed() const {
    const auto& reports = pass_.reports();
    return std::any_of(reports.begin(), reports.end(), [](const SignalReport& report) { return report.value.failed; });
  }

  std::optional<CacheHit> look_up_similar(TextId question) {
    reading_.compute({.embeddings = {question}});
    const base::Stopwatch watch;
    SimilarAnswer answer = parts_.cache->lookup_similar(*ticket_, reading_.vector(question), options_.limits);
    parts_.metrics->count_lookup("semantic", watch.seconds());
    if (!answer.veto.empty()) notes_.push_back("cached answer not used: " + answer.veto);
    if (answer.held_back) {
      routed_.held_back = *answer.held_back->response;
      notes_.push_back("cached answer held back: too little feedback on such matches");
    }
    return std::move(answer.hit);
  }

  bool answer_from(const std::optional<CacheHit>& hit) {
    if (!hit) return false;
    routed_.outcome = RouteOutcome::kCached;
    routed_.response = *hit->response;
    notes_.push_back(std::string(hit->exact ? "the same question" : "a similar question") + " was answered before");
    routed_.ticket = std::move(ticket_);
    return true;
  }

  ModelChoice choose(const Decision* decision) {
    const DomainRule* domain = scores_matter(decision) ? best_domain() : nullptr;
    return choose_model(config().catalog, {.requested = request_.model,
                                           .decision = decision,
                                           .domain = domain,
                                           .prompt_tokens = reading_.cheap_tokens(),
                                           .measures = parts_.measures.get(),
                                           .similarities = description_similarities(decision)});
  }

  // Of the question to the descriptions of the decision's models, where those are what chooses.
  std::map<std::string, double> description_similarities(const Decision* decision) {
    std::map<std::string, double> similarities;
    const bool by_them = decision != nullptr && decision->algorithm.kind == Algorithm::Kind::kRouterDc;
    if (!by_them || decision->models.size() < 2) return similarities;
    const TextId question = reading_.decisive(TextScope::kLastUser);
    reading_.compute({.embeddings = {question}});
    for (const ModelRef& ref : decision->models) {
      const uint32_t* place = parts_.signals.description_of(ref.model);
      if (place != nullptr) similarities[ref.model] = reading_.similarities(question)[*place];
    }
    return similarities;
  }

  void forward(const Decision* decision, const ModelChoice& choice) {
    const bool prompted = decision != nullptr && decision->plugins.system_prompt;
    const int64_t added = prompted ? static_cast<int64_t>(estimate_tokens(decision->plugins.system_prompt->text)) : 0;
    const RequestPlan plan = plan_request(config().catalog, decision, choice, reading_.cheap_tokens() + added);
    RewrittenRequest rewritten = rewrite_request(body_, plan);
    forward_to(choice, routed_);
    routed_.request = std::move(rewritten.body);
    routed_.answer = answer_guards(config(), decision, request_);
    notes_.insert(notes_.end(), choice.notes.begin(), choice.notes.end());
    notes_.insert(notes_.end(), rewritten.notes.begin(), rewritten.notes.end());
    if (decision != nullptr && decision->plugins.header_mutation) {
      routed_.headers = plan_headers(*decision->plugins.header_mutation, context_);
    }
    routed_.ticket = std::move(ticket_);
  }

  // Whether a domain's scores could choose between the decision's models.
  bool scores_matter(const Decision* decision) const {
    const bool by_scores = decision != nullptr && decision->algorithm.kind == Algorithm::Kind::kStatic;
    return by_scores && !parts_.scored.empty() && decision->models.size() != 1;
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
    pass_.settle_reports();
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

  // What the safety signals that were evaluated read, by scope.
  std::vector<SafetyReading> safety_readings() const {
    std::vector<SafetyReading> readings;
    for (const TextScope scope : {TextScope::kUnanswered, TextScope::kEverything}) {
      SafetyReading reading{scope};
      for (const SignalReport& report : pass_.reports()) {
        if (parts_.signals.safety_scope_of(report.id) == scope)
          reading.signals.push_back(parts_.engine.signals()[report.id].ref.key());
      }
      if (reading.signals.empty()) continue;
      for (const ChatRequest::Rendered& text : request_.rendered(scope))
        reading.texts.push_back({text.path(), text.text.size()});
      readings.push_back(std::move(reading));
    }
    return readings;
  }

  const RouterParts& parts_;
  std::string_view body_;
  const RouteOptions& options_;
  std::optional<RequestJson> json_;  // until the cache's key is made
  const ChatRequest request_;
  const ContextView context_;
  RequestReading reading_;
  RoutePass pass_;
  std::unique_ptr<CacheTicket> ticket_;
  Routed routed_;
  std::vector<std::string> notes_;
};

}  // namespace

Routed route_request(const RouterParts& parts, std::string_view body, const RouteOptions& options) {
  const auto most = static_cast<size_t>(parts.config.limits.request_bytes);
  if (body.size() > most) {
    fail(Status::kLimit, "request: ", body.size(), " bytes, vsr.limits.request_bytes is ", most);
  }
  const base::LimitScope scope(&options.limits);
  base::check_thread_limits();
  return RouteCall(parts, body, options).run();
}

}  // namespace vsr::routing
