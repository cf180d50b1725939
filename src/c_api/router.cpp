// vsr/router.h: routing of chat requests.
#include "vsr/router.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "base/ascii.h"
#include "base/caller_log.h"
#include "c_api/guard.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "engine/inference/engine_inference.h"
#include "routing/config/reader/router_schema.h"
#include "routing/router.h"

using vsr::routing::Routed;
using vsr::routing::Router;

struct vsr_router {
  std::shared_ptr<const Router> router;
  std::shared_ptr<vsr::base::CallerLog> log;
};

struct vsr_decision {
  Routed routed;
};

namespace {

using vsr::base::CallerLog;
using vsr::base::fail;
using vsr::base::LogLevel;
using vsr::base::Status;
using vsr::c_api::check_array;
using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::c_api::optional_string;
using vsr::c_api::read_bool;
using vsr::c_api::read_text;
using vsr::c_api::require;
using vsr::c_api::required_string;
using vsr::routing::HeaderChange;
using vsr::routing::RouteOptions;
using vsr::routing::RouteOutcome;
using vsr::routing::RouterOptions;

static_assert(static_cast<int32_t>(LogLevel::kInfo) == VSR_LOG_INFO);
static_assert(static_cast<int32_t>(LogLevel::kWarning) == VSR_LOG_WARNING);
static_assert(static_cast<int32_t>(LogLevel::kError) == VSR_LOG_ERROR);
static_assert(static_cast<int32_t>(RouteOutcome::kForward) == VSR_OUTCOME_FORWARD);
static_assert(static_cast<int32_t>(RouteOutcome::kRespond) == VSR_OUTCOME_RESPOND);
static_assert(static_cast<int32_t>(RouteOutcome::kCached) == VSR_OUTCOME_CACHED);
static_assert(static_cast<int32_t>(RouteOutcome::kPassthrough) == VSR_OUTCOME_PASSTHROUGH);

// Keeps a router while a call uses it, and passes on what was logged when the call ends, well or not.
class Held {
 public:
  explicit Held(const vsr_router* handle) : handle_(require(handle, "router")) {}
  Held(std::shared_ptr<const Router> router, std::shared_ptr<CallerLog> log)
      : handle_{std::move(router), std::move(log)} {}
  ~Held() {
    guard(nullptr, [this] { handle_.log->pass_on(); });
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  const Router* operator->() const { return handle_.router.get(); }

 private:
  vsr_router handle_;
};

std::shared_ptr<CallerLog> make_log(const vsr_router_options& options) {
  if (options.log == nullptr) return std::make_shared<CallerLog>(nullptr);
  return std::make_shared<CallerLog>(
      [log = options.log, user_data = options.user_data](LogLevel level, std::string_view message) {
        log(static_cast<int32_t>(level), std::string(message).c_str(), user_data);
      });
}

RouterOptions read_router(const std::string& path, const vsr_router_options& options) {
  RouterOptions router;
  vsr::c_api::check_reserved(options.reserved, "vsr_router_options.reserved");
  router.lenient = read_bool(options.lenient, "options.lenient");
  router.validate_models = read_bool(options.validate_models, "options.validate_models");
  router.inference = options.engine != nullptr ? vsr::engine::inference_of(options.engine->engine)
                                               : vsr::engine::inference_of_config(path);
  router.models = options.engine != nullptr ? vsr::engine::identity_of(*options.engine->engine)
                                            : vsr::engine::identity_of_config(path);
  return router;
}

std::map<std::string, std::string> read_fields(const vsr_field* fields, size_t n, const char* name, bool lower_case) {
  check_array(fields, n, name, (std::string("n_") + name).c_str());
  std::map<std::string, std::string> read;
  for (size_t i = 0; i < n; ++i) {
    const std::string where = std::string(name) + "[" + std::to_string(i) + "]";
    std::string key = required_string(fields[i].name, (where + ".name").c_str());
    if (lower_case) key = vsr::base::ascii_lower(key);
    const std::string_view value = read_text(fields[i].value, (where + ".value").c_str());
    if (!read.emplace(key, value).second) fail(Status::kInvalidArgument, where, ": \"", key, "\" is given twice");
  }
  return read;
}

RouteOptions read_route(const vsr_route_options* given) {
  const vsr_route_options options = vsr::c_api::read_options(given, "vsr_route_options");
  vsr::c_api::check_reserved(options.reserved, "vsr_route_options.reserved");
  RouteOptions route;
  route.explain = read_bool(options.explain, "options.explain");
  route.evaluate_all = read_bool(options.evaluate_all, "options.evaluate_all");
  route.limits = vsr::c_api::read_limits(options.deadline_ms, options.cancel);
  route.tenant = optional_string(options.tenant);
  route.context.user = optional_string(options.user);
  check_array(options.groups, options.n_groups, "groups", "n_groups");
  for (size_t i = 0; i < options.n_groups; ++i) {
    route.context.groups.push_back(required_string(options.groups[i], ("groups[" + std::to_string(i) + "]").c_str()));
  }
  route.context.headers = read_fields(options.headers, options.n_headers, "headers", true);
  route.context.metadata = read_fields(options.metadata, options.n_metadata, "metadata", false);
  return route;
}

const char* text_or_null(const std::optional<std::string>& text) { return text ? text->c_str() : nullptr; }
vsr_str view(const std::string& text) { return {text.data(), text.size()}; }

}  // namespace

vsr_status vsr_router_open(const char* config_path, const vsr_router_options* options, vsr_router** out_router,
                           vsr_error* error) {
  return guard_new(out_router, "out_router", error, [&] {
    const std::string path = required_string(config_path, "config_path");
    const vsr_router_options given = vsr::c_api::read_options(options, "vsr_router_options");
    const std::shared_ptr<CallerLog> log = make_log(given);
    const Held passes_on(nullptr, log);
    RouterOptions router = read_router(path, given);
    if (given.log != nullptr) router.log = [log](LogLevel level, std::string_view line) { log->add(level, line); };
    return vsr_router{Router::open(path, std::move(router)), log};
  });
}

void vsr_router_free(vsr_router* router) {
  if (router == nullptr) return;
  guard(nullptr, [router] {
    const Held passes_on(nullptr, router->log);
    delete router;
  });
}

vsr_status vsr_router_describe(const vsr_router* router, vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] { return Held(router)->describe(); });
}

vsr_status vsr_router_route(const vsr_router* router, vsr_str request, const vsr_route_options* options,
                            vsr_decision** out_decision, vsr_error* error) {
  return guard_new(out_decision, "out_decision", error, [&] {
    const Held held(router);
    return held->route(read_text(request, "request"), read_route(options));
  });
}

vsr_status vsr_router_decide(const vsr_router* router, const vsr_given_signal* signals, size_t n_signals,
                             vsr_decision** out_decision, vsr_error* error) {
  return guard_new(out_decision, "out_decision", error, [&] {
    const Held held(router);
    check_array(signals, n_signals, "signals", "n_signals");
    std::vector<vsr::routing::GivenSignal> given;
    for (size_t i = 0; i < n_signals; ++i) {
      if (signals[i].name == nullptr) fail(Status::kInvalidArgument, "signals[", i, "].name is NULL");
      given.push_back({signals[i].name, signals[i].confidence});
    }
    return held->decide(given);
  });
}

int32_t vsr_decision_outcome(const vsr_decision* decision) {
  return decision == nullptr ? VSR_OUTCOME_NONE : static_cast<int32_t>(decision->routed.outcome);
}

const char* vsr_decision_name(const vsr_decision* decision) {
  return decision == nullptr ? nullptr : text_or_null(decision->routed.decision);
}

double vsr_decision_confidence(const vsr_decision* decision) {
  return decision == nullptr ? 0 : decision->routed.confidence;
}

const char* vsr_decision_model(const vsr_decision* decision) {
  return decision == nullptr ? nullptr : text_or_null(decision->routed.model);
}

const char* vsr_decision_lora(const vsr_decision* decision) {
  return decision == nullptr ? nullptr : text_or_null(decision->routed.lora);
}

int32_t vsr_decision_reasoning(const vsr_decision* decision) {
  return decision != nullptr && decision->routed.reasoning ? 1 : 0;
}

const char* vsr_decision_effort(const vsr_decision* decision) {
  return decision == nullptr ? nullptr : text_or_null(decision->routed.effort);
}

vsr_str vsr_decision_request(const vsr_decision* decision) {
  return decision == nullptr ? vsr_str{} : view(decision->routed.request);
}

vsr_str vsr_decision_response(const vsr_decision* decision) {
  return decision == nullptr ? vsr_str{} : view(decision->routed.response);
}

vsr_str vsr_decision_held_back(const vsr_decision* decision) {
  return decision == nullptr ? vsr_str{} : view(decision->routed.held_back);
}

size_t vsr_decision_signal_count(const vsr_decision* decision) {
  return decision == nullptr ? 0 : decision->routed.signals.size();
}

vsr_signal vsr_decision_signal(const vsr_decision* decision, size_t index) {
  if (decision == nullptr || index >= decision->routed.signals.size()) return {};
  const vsr::routing::EvaluatedSignal& signal = decision->routed.signals[index];
  return {.name = signal.name.c_str(),
          .matched = signal.value.matched ? 1 : 0,
          .reserved = 0,
          .confidence = signal.value.confidence,
          .value = signal.value.value,
          .milliseconds = signal.milliseconds,
          .detail = signal.value.detail.c_str()};
}

const char* vsr_decision_explanation(const vsr_decision* decision) {
  return decision == nullptr ? "" : decision->routed.explanation.c_str();
}

size_t vsr_decision_header_count(const vsr_decision* decision) {
  return decision == nullptr ? 0 : decision->routed.headers.size();
}

vsr_header vsr_decision_header(const vsr_decision* decision, size_t index) {
  if (decision == nullptr || index >= decision->routed.headers.size()) return {};
  const HeaderChange& change = decision->routed.headers[index];
  return {change.name.c_str(), change.kind == HeaderChange::Kind::kRemove ? nullptr : change.value.c_str()};
}

void vsr_decision_free(vsr_decision* decision) { vsr::c_api::free_handle(decision); }

vsr_status vsr_router_store(const vsr_router* router, const vsr_decision* decision, vsr_str response,
                            vsr_error* error) {
  return guard(error,
               [&] { Held(router)->store(require(decision, "decision").routed, read_text(response, "response")); });
}

vsr_status vsr_router_feedback(const vsr_router* router, const vsr_decision* decision, int32_t right,
                               vsr_error* error) {
  return guard(error, [&] {
    const bool was_right = read_bool(right, "right");
    Held(router)->feedback(require(decision, "decision").routed, was_right);
  });
}

vsr_status vsr_router_metrics(const vsr_router* router, vsr_string** out_text, vsr_error* error) {
  return guard_new(out_text, "out_text", error, [&] { return Held(router)->metrics(); });
}

vsr_status vsr_router_schema(vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] { return vsr::routing::router_schema(); });
}
