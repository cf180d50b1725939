#include "routing/router_metrics.h"

#include "routing/route_explanation.h"

namespace vsr::routing {

RouterMetrics::RouterMetrics(const ResponseCache* cache)
    : requests_(registry_.counter({"vsr_route_requests", "Requests by what became of them.", "", {"outcome"}})),
      decisions_(registry_.counter({"vsr_route_decisions", "Requests by the decision that won.", "", {"decision"}})),
      models_(registry_.counter({"vsr_route_models", "Requests by the model that was chosen.", "", {"model"}})),
      matches_(
          registry_.counter({"vsr_route_signals", "Signals that were evaluated.", "", {"signal", "matched"}, 4096})),
      errors_(registry_.counter({"vsr_route_errors", "Requests that could not be routed."})),
      seconds_(
          registry_.histogram({"vsr_route_seconds", "Time of routing a request.", "seconds", {"decision", "model"}})),
      signal_seconds_(
          registry_.histogram({"vsr_route_signal_seconds", "Time of a signal, by its type.", "seconds", {"type"}})),
      lookup_seconds_(registry_.histogram(
          {"vsr_cache_lookup_seconds", "Time of a lookup in the response cache, by its tier.", "seconds", {"tier"}})) {
  if (cache != nullptr) watch(*cache);
}

void RouterMetrics::watch(const ResponseCache& cache) {
  auto& hits = registry_.gauge({"vsr_cache_hits", "Answers from the response cache, by tier.", "", {"tier"}});
  auto& lookups = registry_.gauge({"vsr_cache_lookups", "Requests that were looked up in the response cache."});
  auto& entries = registry_.gauge({"vsr_cache_entries", "Entries in memory."});
  auto& vetoes = registry_.gauge({"vsr_cache_vetoes", "Near questions that word rules tell apart."});
  auto& unlike = registry_.gauge({"vsr_cache_unlike", "Near questions that the pair check tells apart."});
  auto& held_back = registry_.gauge({"vsr_cache_held_back", "Matches not served for want of feedback."});
  auto& refused = registry_.gauge({"vsr_cache_refused", "Answers not kept: empty, cut off, or errors."});
  auto& errors = registry_.gauge({"vsr_cache_error_rate", "Share of the judged hits that were wrong."});
  auto& redis = registry_.gauge({"vsr_cache_redis_up", "1: Redis answered last time; 0: it did not."});
  registry_.before_render([&] {
    const auto stats = cache.stats();
    if (!stats) return;
    hits.with({"exact"}).set(static_cast<double>(stats->exact_hits));
    hits.with({"semantic"}).set(static_cast<double>(stats->similar_hits));
    hits.with({"redis"}).set(static_cast<double>(stats->redis.hits));
    lookups.with({}).set(static_cast<double>(stats->exact_lookups));
    entries.with({}).set(static_cast<double>(stats->entries));
    vetoes.with({}).set(static_cast<double>(stats->vetoes));
    unlike.with({}).set(static_cast<double>(stats->unlike));
    held_back.with({}).set(static_cast<double>(stats->held_back));
    refused.with({}).set(static_cast<double>(cache.refused()));
    errors.with({}).set(stats->error_rate());
    if (stats->redis.configured) redis.with({}).set(stats->redis.available ? 1 : 0);
  });
}

void RouterMetrics::count(const Routed& routed, double seconds) {
  requests_.with({outcome_name(routed.outcome)}).add();
  if (routed.decision) decisions_.with({*routed.decision}).add();
  if (routed.outcome == RouteOutcome::kForward && routed.model) models_.with({*routed.model}).add();
  seconds_.with({routed.decision.value_or("none"), routed.model.value_or("none")}).observe(seconds);
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
