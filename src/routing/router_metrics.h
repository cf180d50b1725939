// What a router counts; names and labels: docs/routing.md.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "base/metrics.h"
#include "base/snapshot.h"
#include "routing/cache/response_cache.h"
#include "routing/config/router_config.h"
#include "routing/routed.h"

namespace vsr::routing {

// Thread-safe.
class RouterMetrics {
 public:
  // `cache` may be null.
  RouterMetrics(const RouterConfig& config, std::shared_ptr<const ResponseCache> cache);
  // From now on these are what requests are routed by. Counts go on.
  void follow(const RouterConfig& config, std::shared_ptr<const ResponseCache> cache);

  void count(const Routed& routed, double seconds);
  void count_error();
  // A lookup in the response cache; `tier`: exact (Redis included), semantic.
  void count_lookup(std::string_view tier, double seconds);
  std::string render() const { return registry_.render(); }

 private:
  using Names = std::set<std::string, std::less<>>;
  void watch_cache();

  base::Snapshot<Names> models_named_;  // by the config
  base::Snapshot<ResponseCache> cache_;
  std::once_flag watched_;
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
