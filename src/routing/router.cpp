#include "routing/router.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/stopwatch.h"
#include "routing/answer_guards.h"
#include "routing/config/reader/config_file.h"
#include "routing/config/reader/config_meaning.h"
#include "routing/route_call.h"
#include "routing/router_checks.h"
#include "routing/router_parts.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::LogLevel;
using base::Status;
using Json = nlohmann::ordered_json;

std::shared_ptr<const RouterParts> make_parts(const std::string& path, RouterOptions options,
                                              const RouterParts* previous) {
  const base::FileContents file(path);
  RouterConfig config = parse_router_config(file.text(), path, options.lenient);
  const std::string fingerprint = CacheKey::of(config_meaning(file.text(), config), options.models).hex();
  auto parts = std::make_shared<RouterParts>(std::move(config), fingerprint, std::move(options), previous);
  for (std::string& line : check_tasks(*parts)) parts->warnings.push_back(std::move(line));
  if (parts->options.validate_models) {
    for (std::string& line : validate_models(*parts)) parts->warnings.push_back(std::move(line));
  }
  const base::LogSink& log = parts->options.log;
  for (const std::string& warning : parts->warnings) base::log(log, LogLevel::kWarning, warning);
  for (const std::string& skipped : parts->config.skipped) base::log(log, LogLevel::kWarning, "skipped: ", skipped);
  return parts;
}

}  // namespace

std::shared_ptr<const Router> Router::open(const std::string& config_path, RouterOptions options) {
  auto parts = make_parts(config_path, std::move(options), nullptr);
  return std::shared_ptr<const Router>(new Router(config_path, std::move(parts)));
}

Router::Router(std::string path, std::shared_ptr<const RouterParts> parts)
    : path_(std::move(path)), parts_(std::move(parts)) {}
Router::~Router() = default;

void Router::reload(RouterOptions options) const {
  const std::lock_guard lock(reloading_);
  const auto previous = parts_.load();
  auto next = make_parts(path_, std::move(options), previous.get());
  next->take_over_from(*previous);
  parts_.store(std::move(next));
}

Routed Router::route(std::string_view request, const RouteOptions& options) const {
  const base::Stopwatch watch;
  const auto parts = parts_.load();
  try {
    Routed routed = route_request(*parts, request, options);
    parts->metrics->count(routed, watch.seconds());
    routed.replay = parts->replay->add(routed, request);
    return routed;
  } catch (...) {
    parts->metrics->count_error();
    throw;
  }
}

Routed Router::decide(std::span<const GivenSignal> signals) const {
  const auto parts = parts_.load();
  std::map<std::string, double> given;
  for (const GivenSignal& signal : signals) {
    if (!given.emplace(signal.name, signal.confidence).second) {
      fail(Status::kInvalidArgument, "signal \"", signal.name, "\" is given twice");
    }
  }
  Routed routed;
  const Decision* decision = settle(parts->config, parts->engine.decide(given), {}, routed);
  const bool nowhere = decision == nullptr && parts->config.catalog.default_model.empty();
  if (routed.outcome == RouteOutcome::kRespond || nowhere) return routed;
  forward_to(choose_model(parts->config.catalog, {.decision = decision, .measures = parts->measures.get()}), routed);
  routed.answer = answer_guards(parts->config, decision, {});
  return routed;
}

void Router::store(const Routed& routed, std::string_view response) const {
  const auto parts = parts_.load();
  if (routed.replay != 0) parts->replay->add_response(routed.replay, response);
  if (parts->cache && routed.ticket && routed.outcome == RouteOutcome::kForward) {
    parts->cache->store(*routed.ticket, response);
  }
}

void Router::feedback(const Routed& routed, bool right) const {
  const auto parts = parts_.load();
  const bool judged = routed.ticket && (routed.outcome == RouteOutcome::kCached || routed.ticket->held_back);
  if (!judged || !parts->cache) {
    fail(Status::kInvalidArgument, "decision: its answer did not come from the response cache");
  }
  parts->cache->feedback(*routed.ticket, right);
}

void Router::measure(const std::string& model, const ModelMeasures::Measurement& measurement) const {
  parts_.load()->measures->add(model, measurement);
}

std::shared_ptr<const inference::Inference> Router::inference() const { return parts_.load()->options.inference; }

std::string Router::replay() const { return parts_.load()->replay->json(); }

std::string Router::describe() const {
  const auto parts = parts_.load();
  const RouterConfig& config = parts->config;
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
  json["warnings"] = parts->warnings;
  json["skipped"] = config.skipped;
  json["for_gateway"] = config.for_gateway;
  json["replaced"] = config.replaced;
  json["cache"] = nullptr;
  if (const auto stats = parts->cache ? parts->cache->stats() : std::nullopt) {
    json["cache"] = {{"entries", stats->entries},
                     {"lookups", stats->exact_lookups},
                     {"exact_hits", stats->exact_hits},
                     {"semantic_hits", stats->similar_hits},
                     {"vetoes", stats->vetoes},
                     {"unlike", stats->unlike},
                     {"held_back", stats->held_back},
                     {"hit_rate", stats->hit_rate()},
                     {"refused", parts->cache->refused()},
                     {"error_rate", stats->error_rate()}};
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Router::metrics() const { return parts_.load()->metrics->render(); }

}  // namespace vsr::routing
