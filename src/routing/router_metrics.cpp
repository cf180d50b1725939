#include "routing/router_metrics.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace vsr::routing {

namespace {

constexpr const char* kNone = "none";
constexpr const char* kOther = "other";
constexpr size_t kMostSeries = 1 << 16;

using Names = std::set<std::string, std::less<>>;

std::shared_ptr<const Names> named_models(const RouterConfig& config) {
  Names names;
  for (const CatalogModel& model : config.catalog.models) names.insert(model.name);
  if (!config.catalog.default_model.empty()) names.insert(config.catalog.default_model);
  for (const Decision& decision : config.decisions) {
    for (const ModelRef& ref : decision.models) names.insert(ref.model);
  }
  return std::make_shared<const Names>(std::move(names));
}

// The name as a label: what a client made up is "other".
std::string_view model_label(const std::optional<std::string>& name, const Names& named) {
  if (!name) return kNone;
  const auto found = named.find(*name);
  return found == named.end() ? std::string_view(kOther) : *found;
}

// Room for all that a config names, for what has no name, and for names that come when the file is read again.
constexpr size_t kLater = 64;
size_t room(size_t names, size_t times = 1) { return std::min((names + 2 + kLater) * times, kMostSeries); }

}  // namespace

RouterMetrics::RouterMetrics(const RouterConfig& config, std::shared_ptr<const ResponseCache> cache)
    : models_named_(named_models(config)),
      requests_(registry_.counter({"vsr_route_requests", "Requests by what became of them.", "", {"outcome"}})),
      decisions_(registry_.counter({"vsr_route_decisions",
                                    "Requests by the decision that won.",
                                    "",
                                    {"decision"},
                                    room(config.decisions.size())})),
      models_(registry_.counter({"vsr_route_models",
                                 "Requests by the model that was chosen.",
                                 "",
                                 {"model"},
                                 room(models_named_.load()->size())})),
      matches_(registry_.counter({"vsr_route_signals",
                                  "Signals that were evaluated.",
                                  "",
                                  {"signal", "matched"},
                                  room(config.signal_names.size(), 2)})),
      errors_(registry_.counter({"vsr_route_errors", "Requests that could not be routed."})),
      seconds_(registry_.histogram({"vsr_route_seconds",
                                    "Time of routing a request.",
                                    "seconds",
                                    {"decision", "model"},
                                    room(config.decisions.size(), models_named_.load()->size() + 2 + kLater)})),
      signal_seconds_(
          registry_.histogram({"vsr_route_signal_seconds", "Time of a signal, by its type.", "seconds", {"type"}})),
      lookup_seconds_(registry_.histogram(
          {"vsr_cache_lookup_seconds", "Time of a lookup in the response cache, by its tier.", "seconds", {"tier"}})) {
  follow(config, std::move(cache));
}

void RouterMetrics::follow(const RouterConfig& config, std::shared_ptr<const ResponseCache> cache) {
  models_named_.store(named_models(config));
  if (cache) std::call_once(watched_, [this] { watch_cache(); });
  cache_.store(std::move(cache));
}

void RouterMetrics::watch_cache() {
  auto& hits = registry_.gauge({"vsr_cache_hits", "Answers from the response cache, by tier.", "", {"tier"}});
  auto& lookups = registry_.gauge({"vsr_cache_lookups", "Requests that were looked up in the response cache."});
  auto& entries = registry_.gauge({"vsr_cache_entries", "Entries in memory."});
  auto& vetoes = registry_.gauge({"vsr_cache_vetoes", "Near questions that word rules tell apart."});
  auto& unlike = registry_.gauge({"vsr_cache_unlike", "Near questions that the pair check tells apart."});
  auto& held_back = registry_.gauge({"vsr_cache_held_back", "Matches not served for want of feedback."});
  auto& refused = registry_.gauge({"vsr_cache_refused", "Answers not kept: empty, cut off, or errors."});
  auto& errors = registry_.gauge({"vsr_cache_error_rate", "Share of the judged hits that were wrong."});
  auto& redis = registry_.gauge({"vsr_cache_redis_up", "1: Redis answered last time; 0: it did not."});
  registry_.before_render([&, this] {
    const auto cache = cache_.load();
    const auto stats = cache ? cache->stats() : std::nullopt;
    if (!stats) return;
    hits.with({"exact"}).set(static_cast<double>(stats->exact_hits));
    hits.with({"semantic"}).set(static_cast<double>(stats->similar_hits));
    hits.with({"redis"}).set(static_cast<double>(stats->redis.hits));
    lookups.with({}).set(static_cast<double>(stats->exact_lookups));
    entries.with({}).set(static_cast<double>(stats->entries));
    vetoes.with({}).set(static_cast<double>(stats->vetoes));
    unlike.with({}).set(static_cast<double>(stats->unlike));
    held_back.with({}).set(static_cast<double>(stats->held_back));
    refused.with({}).set(static_cast<double>(cache->refused()));
    errors.with({}).set(stats->error_rate());
    if (stats->redis.configured) redis.with({}).set(stats->redis.available ? 1 : 0);
  });
}

void RouterMetrics::count(const Routed& routed, double seconds) {
  requests_.with({outcome_name(routed.outcome)}).add();
  if (routed.decision) decisions_.with({*routed.decision}).add();
  const auto named = models_named_.load();
  const std::string_view model = model_label(routed.model, *named);
  if (routed.outcome == RouteOutcome::kForward && routed.model) models_.with({model}).add();
  seconds_.with({routed.decision ? std::string_view(*routed.decision) : kNone, model}).observe(seconds);
  for (const EvaluatedSignal& signal : routed.signals) {
    matches_.with({signal.name, signal.value.matched ? "yes" : "no"}).add();
    signal_seconds_.with({std::string_view(signal.name).substr(0, signal.name.find(':'))})
        .observe(signal.milliseconds / 1000);
  }
}

void RouterMetrics::count_lookup(std::string_view tier, double seconds) {
  lookup_seconds_.with({tier}).observe(seconds);
}

void RouterMetrics::count_error() { errors_.with({}).add(); }

}  // namespace vsr::routing
