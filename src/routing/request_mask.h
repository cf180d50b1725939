// Personal data of a request that leaves masked. Routing does not know who masks: who opens a router says how.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/call_limits.h"
#include "routing/config/plugins.h"

namespace vsr::routing {

// Of one request. Thread-safe.
class RequestMask {
 public:
  virtual ~RequestMask() = default;
  // The body with placeholders in the place of values, which the mask keeps. What is thrown must not be gone past.
  virtual std::string masked(std::string_view body, const base::CallLimits& limits) const = 0;
};

// `pii_task`: of the router's models, for entities that have no form; empty: patterns alone.
using MakeRequestMask = std::function<std::shared_ptr<const RequestMask>(
    const PiiMaskPlugin& plugin, const std::string& pii_task, const std::string& tenant)>;

}  // namespace vsr::routing
