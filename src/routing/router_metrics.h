// What a router counts; names and labels: docs/routing.md.
#pragma once

#include <string>
#include <string_view>

#include "base/metrics.h"
#include "routing/cache/response_cache.h"
#include "routing/router.h"

namespace vsr::routing {

// Thread-safe.
class RouterMetrics {
 public:
  // `cache` may be null, and outlives this.
  explicit RouterMetrics(const ResponseCache* cache);

  void count(const Routed& routed, double seconds);
  void count_error();
  // A lookup in the response cache; `tier`: exact (Redis included), semantic.
  void count_lookup(std::string_view tier, double seconds);
  std::string render() const { return registry_.render(); }

 private:
  void watch(const ResponseCache& cache);

  base::MetricRegistry registry_;
  base::MetricFamily<base::Counter>& requests_;
  base::MetricFamily<base::Counter>& decisions_;
  base::MetricFamily<base::Counter>& models_;
  base::MetricFamily<base::Counter>& matches_;
  base::MetricFamily<base::Counter>& errors_;
  base::MetricFamily<base::Histogram>& seconds_;
  base::MetricFamily<base::Histogram>& signal_seconds_;
  base::MetricFamily<base::Histogram>& lookup_seconds_;
};

}  // namespace vsr::routing
