// vsr/router.h: routing of chat requests.
#include "vsr/router.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/caller_log.h"
#include "c_api/boundary.h"
#include "c_api/handles.h"
#include "c_api/inputs.h"
#include "c_api/mask_handle.h"
#include "c_api/router_handle.h"
#include "c_api/views.h"
#include "engine/inference/engine_inference.h"
#include "guard/mask/placeholders.h"
#include "routing/config/reader/router_schema.h"
#include "routing/router.h"

using vsr::routing::Routed;
using vsr::routing::Router;

namespace {

using vsr::base::CallerLog;
using vsr::base::fail;
using vsr::base::LogLevel;
using vsr::base::Status;
using vsr::c_api::check_array;
using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::c_api::HeldRouter;
using vsr::c_api::optional_string;
using vsr::c_api::read_bool;
using vsr::c_api::read_text;
using vsr::c_api::require;
using vsr::c_api::required_string;
using vsr::c_api::RouterSource;
using vsr::c_api::view;
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

std::shared_ptr<CallerLog> make_log(const vsr_router_options& options) {
  if (options.log == nullptr) return std::make_shared<CallerLog>(nullptr);
  return std::make_shared<CallerLog>(
      [log = options.log, user_data = options.user_data](LogLevel level, std::string_view message) {
        const std::string line(message);  // ends with a NUL
        log(static_cast<int32_t>(level), vsr::c_api::view(line), user_data);
      });
}

RouterSource read_source(const std::string& path, const vsr_router_options& options) {
  RouterSource source{.path = path};
  source.lenient = read_bool(options.lenient, "options.lenient");
  source.validate_models = read_bool(options.validate_models, "options.validate_models");
  source.own_models = read_bool(options.own_models, "options.own_models");
  if (source.own_models && options.engine != nullptr) {
    fail(Status::kInvalidArgument, "options.own_models is 1, and options.engine is given, expected one of them");
  }
  source.logs = options.log != nullptr;
  if (options.engine != nullptr) source.engine = options.engine->engine;
  source.mask_key = vsr::guard::random_key();
  return source;
}

// `previous`: who answered before the file was read again; null: nobody.
RouterOptions router_options(const RouterSource& source, const std::shared_ptr<CallerLog>& log,
                             const std::shared_ptr<const vsr::inference::Inference>& previous) {
  RouterOptions options;
  options.lenient = source.lenient;
  options.validate_models = source.validate_models;
  if (source.logs) options.log = [log](LogLevel level, std::string_view line) { log->add(level, line); };
  if (source.own_models) {
    options.inference = vsr::engine::inference_of_config(source.path, previous);
    options.models = vsr::engine::identity_of_config(source.path);
    options.make_mask = vsr::c_api::request_masks(options.inference, source.mask_key);
    return options;
  }
  const auto engine = source.engine ? source.engine : vsr::engine::default_engine();
  options.inference = vsr::engine::inference_of(engine);
  options.models = vsr::engine::identity_of(*engine);
  options.make_mask = vsr::c_api::request_masks(options.inference, source.mask_key);
  return options;
}

// Names and values side by side; `what` is what the fields of the options begin with.
struct Fields {
  const char* what;
  const char* const* names;
  const vsr_str* values;
  size_t count;
};

std::map<std::string, std::string> read_fields(const Fields& fields, bool lower_case) {
  const std::string names = std::string(fields.what) + "_names";
  const std::string values = std::string(fields.what) + "_values";
  const std::string count = std::string(fields.what) + "_count";
  check_array(fields.names, fields.count, names.c_str(), count.c_str());
  check_array(fields.values, fields.count, values.c_str(), count.c_str());
  std::map<std::string, std::string> read;
  for (size_t i = 0; i < fields.count; ++i) {
    const std::string place = "[" + std::to_string(i) + "]";
    std::string key = required_string(fields.names[i], (names + place).c_str());
    if (lower_case) key = vsr::base::ascii_lower(key);
    const std::string_view value = read_text(fields.values[i], (values + place).c_str());
    if (!read.emplace(key, value).second) {
      fail(Status::kInvalidArgument, names, place, ": \"", key, "\" is given twice");
    }
  }
  return read;
}

RouteOptions read_route(const vsr_route_options* given) {
  const vsr_route_options options = vsr::c_api::read_options(given, "vsr_route_options");
  vsr::c_api::check_reserved(options.reserved, "vsr_route_options.reserved");
  RouteOptions route;
  route.explain = read_bool(options.explain, "options.explain");
  route.evaluate_all = read_bool(options.evaluate_all, "options.evaluate_all");
  route.limits = vsr::c_api::read_limits(options);
  route.tenant = optional_string(options.tenant);
  route.context.user = optional_string(options.user);
  check_array(options.groups, options.group_count, "groups", "group_count");
  for (size_t i = 0; i < options.group_count; ++i) {
    route.context.groups.push_back(required_string(options.groups[i], ("groups[" + std::to_string(i) + "]").c_str()));
  }
  route.context.headers =
      read_fields({"header", options.header_names, options.header_values, options.header_count}, true);
  route.context.metadata =
      read_fields({"metadata", options.metadata_names, options.metadata_values, options.metadata_count}, false);
  return route;
}

}  // namespace

vsr_decision::vsr_decision(Routed made) : routed(std::move(made)) {
  signals.reserve(routed.signals.size());
  for (const vsr::routing::EvaluatedSignal& from : routed.signals) {
    vsr_signal& to = signals.emplace_back(vsr::c_api::sized<vsr_signal>());
    to.name = view(from.name);
    to.matched = from.value.matched ? 1 : 0;
    to.confidence = from.value.confidence;
    to.value = from.value.value;
    to.duration_ms = from.milliseconds;
    to.detail = view(from.value.detail);
  }
  headers.reserve(routed.headers.size());
  for (const HeaderChange& from : routed.headers) {
    vsr_header& to = headers.emplace_back(vsr::c_api::sized<vsr_header>());
    to.name = view(from.name);
    if (from.kind != HeaderChange::Kind::kRemove) to.value = view(from.value);
  }
  answer = vsr::c_api::make_answer_policy(routed.answer);
}

vsr_status vsr_router_open(const char* config_path, const vsr_router_options* options, vsr_router** out_router,
                           vsr_error* error) {
  return guard_new(out_router, "out_router", error, [&] {
    const std::string path = required_string(config_path, "config_path");
    const vsr_router_options given = vsr::c_api::read_options(options, "vsr_router_options");
    const std::shared_ptr<CallerLog> log = make_log(given);
    const HeldRouter passes_on(nullptr, log);
    const auto source = std::make_shared<const RouterSource>(read_source(path, given));
    return vsr_router{Router::open(path, router_options(*source, log, nullptr)), source, log};
  });
}

void vsr_router_free(vsr_router* router) {
  if (router == nullptr) return;
  guard(nullptr, [router] {
    const HeldRouter passes_on(nullptr, router->log);
    delete router;
  });
}

vsr_status vsr_router_reload(const vsr_router* router, vsr_error* error) {
  return guard(error, [&] {
    const HeldRouter held(router);
    const vsr_router& handle = held.handle();
    const auto previous = held->inference();
    RouterOptions options = router_options(*handle.source, handle.log, previous);
    // Requests found models and examples ready; they find them so after the change, too.
    options.validate_models =
        options.validate_models || (handle.source->own_models && vsr::engine::has_opened(*previous));
    held->reload(std::move(options));
  });
}

vsr_status vsr_router_describe(const vsr_router* router, vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] { return HeldRouter(router)->describe(); });
}

vsr_status vsr_router_route(const vsr_router* router, vsr_str request, const vsr_route_options* options,
                            vsr_decision** out_decision, vsr_error* error) {
  return guard_new(out_decision, "out_decision", error, [&] {
    const HeldRouter held(router);
    return held->route(read_text(request, "request"), read_route(options));
  });
}

vsr_status vsr_router_decide(const vsr_router* router, const char* const* names, const double* confidences,
                             size_t signal_count, vsr_decision** out_decision, vsr_error* error) {
  return guard_new(out_decision, "out_decision", error, [&] {
    const HeldRouter held(router);
    check_array(names, signal_count, "names", "signal_count");
    check_array(confidences, signal_count, "confidences", "signal_count");
    std::vector<vsr::routing::GivenSignal> given;
    for (size_t i = 0; i < signal_count; ++i) {
      if (names[i] == nullptr) fail(Status::kInvalidArgument, "names[", i, "] is NULL");
      given.push_back({names[i], confidences[i]});
    }
    return held->decide(given);
  });
}

int32_t vsr_decision_outcome(const vsr_decision* decision) {
  return decision == nullptr ? VSR_OUTCOME_NONE : static_cast<int32_t>(decision->routed.outcome);
}

vsr_str vsr_decision_name(const vsr_decision* decision) {
  return decision == nullptr ? vsr_str{} : view(decision->routed.decision);
}

double vsr_decision_confidence(const vsr_decision* decision) {
  return decision == nullptr ? 0 : decision->routed.confidence;
}

vsr_str vsr_decision_model(const vsr_decision* decision) {
  return decision == nullptr ? vsr_str{} : view(decision->routed.model);
}

vsr_str vsr_decision_lora(const vsr_decision* decision) {
  return decision == nullptr ? vsr_str{} : view(decision->routed.lora);
}

int32_t vsr_decision_reasoning(const vsr_decision* decision) {
  return decision != nullptr && decision->routed.reasoning ? 1 : 0;
}

vsr_str vsr_decision_effort(const vsr_decision* decision) {
  return decision == nullptr ? vsr_str{} : view(decision->routed.effort);
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

vsr_str vsr_decision_plan(const vsr_decision* decision) {
  return decision == nullptr ? vsr_str{} : view(decision->routed.plan);
}

size_t vsr_decision_signal_count(const vsr_decision* decision) {
  return decision == nullptr ? 0 : decision->signals.size();
}

const vsr_signal* vsr_decision_signal(const vsr_decision* decision, size_t index) {
  return decision == nullptr ? nullptr : vsr::c_api::element(decision->signals, index);
}

vsr_str vsr_decision_explanation(const vsr_decision* decision) {
  return decision == nullptr ? VSR_STR("") : view(decision->routed.explanation);
}

size_t vsr_decision_header_count(const vsr_decision* decision) {
  return decision == nullptr ? 0 : decision->headers.size();
}

const vsr_header* vsr_decision_header(const vsr_decision* decision, size_t index) {
  return decision == nullptr ? nullptr : vsr::c_api::element(decision->headers, index);
}

void vsr_decision_free(vsr_decision* decision) { vsr::c_api::free_handle(decision); }

vsr_status vsr_router_store(const vsr_router* router, const vsr_decision* decision, vsr_str response,
                            vsr_error* error) {
  return guard(
      error, [&] { HeldRouter(router)->store(require(decision, "decision").routed, read_text(response, "response")); });
}

vsr_status vsr_router_feedback(const vsr_router* router, const vsr_decision* decision, int32_t right,
                               vsr_error* error) {
  return guard(error, [&] {
    const bool was_right = read_bool(right, "right");
    HeldRouter(router)->feedback(require(decision, "decision").routed, was_right);
  });
}

vsr_status vsr_router_measure(const vsr_router* router, const char* model, double ttft_ms, double tpot_ms,
                              int64_t in_flight, vsr_error* error) {
  return guard(error, [&] {
    const std::string name = required_string(model, "model");
    vsr::routing::ModelMeasures::Measurement measurement;
    if (!(ttft_ms < 0)) measurement.ttft_ms = ttft_ms;
    if (!(tpot_ms < 0)) measurement.tpot_ms = tpot_ms;
    if (in_flight >= 0) measurement.in_flight = in_flight;
    HeldRouter(router)->measure(name, measurement);
  });
}

vsr_status vsr_router_replay(const vsr_router* router, vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] { return HeldRouter(router)->replay(); });
}

vsr_status vsr_router_metrics(const vsr_router* router, vsr_string** out_text, vsr_error* error) {
  return guard_new(out_text, "out_text", error, [&] { return HeldRouter(router)->metrics(); });
}

vsr_status vsr_router_schema(vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] { return vsr::routing::router_schema(); });
}
