// When a call gives up: at a point in time, or when another thread asks for it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>

namespace vsr::base {

struct CallLimits {
  using Clock = std::chrono::steady_clock;

  std::optional<Clock::time_point> deadline;  // none: no end
  std::stop_token cancel;                     // none: nobody cancels

  // Throws kCancelled or kDeadline once reached, and kState once the process ends.
  void check() const;
};

// `milliseconds` from now; 0 is no deadline, and one below 0 has passed.
std::optional<CallLimits::Clock::time_point> deadline_in(int64_t milliseconds);

}  // namespace vsr::base
