// From a chat request to the model that should answer it. Semantics: include/vsr/router.h and docs/routing.md.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/call_limits.h"
#include "base/log.h"
#include "inference/inference.h"
#include "routing/request/chat_request.h"
#include "routing/request/request_headers.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

struct RouterOptions {
  bool lenient = false;
  bool validate_models = false;
  std::shared_ptr<const inference::Inference> inference;
  base::LogSink log = {};
};

struct RouteOptions {
  RequestContext context = {};
  std::string tenant = {};
  bool explain = false;
  bool evaluate_all = false;
  base::CallLimits limits = {};
};

// Numbers equal VSR_OUTCOME_...
enum class RouteOutcome : int32_t { kNone = 0, kForward = 1, kRespond = 2, kCached = 3, kPassthrough = 4 };

struct EvaluatedSignal {
  std::string name;  // "type:name"
  SignalValue value;
  double milliseconds = 0;
};

// Where the answer of a request belongs in the response cache.
struct CacheTicket;

struct Routed {
  RouteOutcome outcome = RouteOutcome::kNone;
  std::optional<std::string> decision;
  double confidence = 0;
  std::optional<std::string> model;
  std::optional<std::string> lora;
  bool reasoning = false;
  std::optional<std::string> effort;
  std::string request;
  std::string response;
  std::string held_back;  // a cached answer that was not given
  std::vector<EvaluatedSignal> signals;
  std::vector<HeaderChange> headers;
  std::string explanation;  // JSON; empty unless asked for
  std::shared_ptr<const CacheTicket> ticket;
};

struct GivenSignal {
  std::string_view name;  // "type:name"
  double confidence = 0;
};

// Thread-safe. What changes, the cache and the counters, looks after itself.
class Router {
 public:
  static std::shared_ptr<const Router> open(const std::string& config_path, RouterOptions options);
  ~Router();
  Router(const Router&) = delete;
  Router& operator=(const Router&) = delete;

  Routed route(std::string_view request, const RouteOptions& options) const;
  Routed decide(std::span<const GivenSignal> signals) const;
  void store(const Routed& routed, std::string_view response) const;
  void feedback(const Routed& routed, bool right) const;

  std::string describe() const;  // the JSON of vsr_router_describe()
  std::string metrics() const;   // OpenMetrics text

  struct Parts;  // router_parts.h

 private:
  explicit Router(std::unique_ptr<const Parts> parts);
  std::unique_ptr<const Parts> parts_;
};

}  // namespace vsr::routing
