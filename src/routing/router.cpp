#include "routing/router.h"

#include <algorithm>
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

void check_models(const RouterParts& parts, std::vector<std::string>& warnings) {
  std::vector<std::string> lines = check_tasks(parts);
  if (parts.options.validate_models) {
    for (std::string& line : validate_models(parts)) lines.push_back(std::move(line));
  }
  for (std::string& line : lines) {
    if (std::find(warnings.begin(), warnings.end(), line) == warnings.end()) warnings.push_back(std::move(line));
  }
}

std::shared_ptr<const RouterParts> make_parts(const std::string& path, RouterOptions options,
                                              const RouterParts* previous) {
  const base::FileContents file(path);
  RouterConfig config = parse_router_config(file.text(), path, options.lenient);
  const std::string fingerprint = CacheKey::of(config_meaning(file.text(), config), options.models).hex();
  auto parts = std::make_shared<RouterParts>(std::move(config), fingerprint, std::move(options), previous);
  check_models(*parts, parts->warnings);
  for (const Recipe& recipe : parts->config.recipes) {
    const RouterParts* before = previous == nullptr ? nullptr : previous->recipe(recipe.name);
    auto own = std::make_shared<const RouterParts>(*recipe.config, fingerprint, parts->options, before, parts.get());
    check_models(*own, parts->warnings);
    parts->recipes.emplace(recipe.name, std::move(own));
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
    routed.replay = parts->recipe(routed.recipe)->replay->add(routed, routed.mask ? routed.request : request);
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
  const RouterParts* decided = parts->recipe(routed.recipe);
  // An answer is given here as it leaves, with the values of a mask in it.
  if (routed.replay != 0 && decided != nullptr && !routed.mask) decided->replay->add_response(routed.replay, response);
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

std::string Router::replay() const {
  const auto parts = parts_.load();
  if (parts->recipes.empty()) return parts->replay->json();
  Json all = Json::parse(parts->replay->json());
  for (const auto& [name, recipe] : parts->recipes) all["recipes"][name] = Json::parse(recipe->replay->json());
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

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
  json["recipes"] = Json::array();
  for (const Recipe& recipe : config.recipes) {
    Json names = Json::array();
    for (const Decision& decision : recipe.config->decisions) names.push_back(decision.name);
    json["recipes"].push_back({{"name", recipe.name}, {"entrypoints", recipe.entrypoints}, {"decisions", names}});
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
