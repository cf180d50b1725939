// What bounds a call: when it gives up, at a point in time or because it is asked to, and what it takes on. One value
// that travels from the boundary to the last loop.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace vsr::base {

struct CallLimits {
  using Clock = std::chrono::steady_clock;

  // Called between batches with the texts done and of all; true asks to stop, which throws kCancelled.
  using Progress = std::function<bool(size_t done, size_t total)>;

  std::optional<Clock::time_point> deadline = {};  // none: no end
  std::stop_token cancel = {};                     // none: nobody cancels
  size_t max_tokens = 0;                           // longer texts are kLimit; 0: these are read in windows
  Progress progress = {};                          // none: nobody listens

  // Throws kCancelled or kDeadline once reached, and kState once the process ends.
  void check() const;
};

// `milliseconds` from now; 0 is no deadline, and one below 0 has passed.
std::optional<CallLimits::Clock::time_point> deadline_in(int64_t milliseconds);

}  // namespace vsr::base
