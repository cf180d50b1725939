// From a chat request to the model that should answer it. Semantics: include/vsr/router.h and docs/routing.md.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "base/snapshot.h"
#include "routing/decision/model_measures.h"
#include "routing/route_options.h"
#include "routing/routed.h"
#include "routing/router_options.h"

namespace vsr::routing {

struct RouterParts;

struct GivenSignal {
  std::string_view name;  // "type:name"
  double confidence = 0;
};

// Thread-safe. What changes, the cache and the counters, looks after itself.
class Router {
 public:
  static std::shared_ptr<const Router> open(const std::string& config_path, RouterOptions options);
  ~Router();
  // Reads the file again and routes by it from then on; calls in flight end as they began. The cache, what was counted
  // and measured stay where their meaning does (docs/routing.md). Throws what open() throws: then nothing has changed.
  // One call at a time; others wait.
  void reload(RouterOptions options) const;
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  Routed route(std::string_view request, const RouteOptions& options) const;
  Routed decide(std::span<const GivenSignal> signals) const;
  void store(const Routed& routed, std::string_view response) const;
  void feedback(const Routed& routed, bool right) const;
  void measure(const std::string& model, const ModelMeasures::Measurement& measurement) const;
  std::string replay() const;  // the JSON of vsr_router_replay()

  // Who answers its signals.
  std::shared_ptr<const inference::Inference> inference() const;

  std::string describe() const;  // the JSON of vsr_router_describe()
  std::string metrics() const;   // OpenMetrics text

 private:
  Router(std::string path, std::shared_ptr<const RouterParts> parts);
  const std::string path_;
  mutable std::mutex reloading_;
  mutable base::Snapshot<RouterParts> parts_;
};

}  // namespace vsr::routing
