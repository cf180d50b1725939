#include "routing/router.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/stopwatch.h"
#include "routing/answer_guards.h"
#include "routing/config/reader/config_file.h"
#include "routing/route_call.h"
#include "routing/router_checks.h"
#include "routing/router_parts.h"

namespace vsr::routing {
namespace {

using base::fail;
using base::LogLevel;
using base::Status;
using Json = nlohmann::ordered_json;

}  // namespace

std::shared_ptr<const Router> Router::open(const std::string& config_path, RouterOptions options) {
  const base::FileContents file(config_path);
  RouterConfig config = parse_router_config(file.text(), config_path, options.lenient);
  const std::string text = CacheKey::of("config", file.text()).hex();
  const std::string fingerprint = CacheKey::of(text, options.models).hex();
  auto parts = std::make_unique<RouterParts>(std::move(config), fingerprint, std::move(options));
  for (std::string& line : check_tasks(*parts)) parts->warnings.push_back(std::move(line));
  if (parts->options.validate_models) {
    for (std::string& line : validate_models(*parts)) parts->warnings.push_back(std::move(line));
  }
  const base::LogSink& log = parts->options.log;
  for (const std::string& warning : parts->warnings) base::log(log, LogLevel::kWarning, warning);
  for (const std::string& skipped : parts->config.skipped) base::log(log, LogLevel::kWarning, "skipped: ", skipped);
  return std::shared_ptr<const Router>(new Router(std::move(parts)));
}

Router::Router(std::unique_ptr<const RouterParts> parts) : parts_(std::move(parts)) {}
Router::~Router() = default;

Routed Router::route(std::string_view request, const RouteOptions& options) const {
  const base::Stopwatch watch;
  try {
    Routed routed = route_request(*parts_, request, options);
    parts_->metrics.count(routed, watch.seconds());
    routed.replay = parts_->replay.add(routed, request);
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
  Routed routed;
  const Decision* decision = settle(parts_->config, parts_->engine.decide(given), {}, routed);
  const bool nowhere = decision == nullptr && parts_->config.catalog.default_model.empty();
  if (routed.outcome == RouteOutcome::kRespond || nowhere) return routed;
  forward_to(choose_model(parts_->config.catalog, {.decision = decision, .measures = &parts_->measures}), routed);
  routed.answer = answer_guards(parts_->config, decision, {});
  return routed;
}

void Router::store(const Routed& routed, std::string_view response) const {
  if (routed.replay != 0) parts_->replay.add_response(routed.replay, response);
  if (parts_->cache && routed.ticket && routed.outcome == RouteOutcome::kForward) {
    parts_->cache->store(*routed.ticket, response);
  }
}

void Router::feedback(const Routed& routed, bool right) const {
  const bool judged = routed.ticket && (routed.outcome == RouteOutcome::kCached || routed.ticket->held_back);
  if (!judged || !parts_->cache) {
    fail(Status::kInvalidArgument, "decision: its answer did not come from the response cache");
  }
  parts_->cache->feedback(*routed.ticket, right);
}

void Router::measure(const std::string& model, const ModelMeasures::Measurement& measurement) const {
  parts_->measures.add(model, measurement);
}

std::shared_ptr<const inference::Inference> Router::inference() const { return parts_->options.inference; }

std::string Router::replay() const { return parts_->replay.json(); }

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
  json["warnings"] = parts_->warnings;
  json["skipped"] = config.skipped;
  json["for_gateway"] = config.for_gateway;
  json["replaced"] = config.replaced;
  json["cache"] = nullptr;
  if (const auto stats = parts_->cache ? parts_->cache->stats() : std::nullopt) {
    json["cache"] = {{"entries", stats->entries},
                     {"lookups", stats->exact_lookups},
                     {"exact_hits", stats->exact_hits},
                     {"semantic_hits", stats->similar_hits},
                     {"vetoes", stats->vetoes},
                     {"unlike", stats->unlike},
                     {"held_back", stats->held_back},
                     {"hit_rate", stats->hit_rate()},
                     {"refused", parts_->cache->refused()},
                     {"error_rate", stats->error_rate()}};
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Router::metrics() const { return parts_->metrics.render(); }

}  // namespace vsr::routing
