// Keeps callers from a service that does not answer: after a failure nobody asks for a while, then one tries.
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>

namespace vsr::base {

// Thread-safe. Times are milliseconds of any clock that does not run backwards.
class CircuitBreaker {
 public:
  // The pause after the first failure doubles with each that follows it, up to `longest_ms`.
  CircuitBreaker(int64_t shortest_ms, int64_t longest_ms) : shortest_ms_(shortest_ms), longest_ms_(longest_ms) {}

  // Whether the caller may ask now; it then reports success() or failure(). After a pause one caller may, and the
  // others once it has succeeded or another pause is over.
  bool allow(int64_t now_ms) {
    const std::lock_guard lock(mutex_);
    if (pause_ms_ == 0) return true;
    if (now_ms < retry_ms_) return false;
    retry_ms_ = now_ms + pause_ms_;
    trying_ = true;
    return true;
  }

  // Each says whether that changed the state: between asking and pausing.
  bool success() {
    const std::lock_guard lock(mutex_);
    const bool changed = pause_ms_ != 0;
    pause_ms_ = 0;
    trying_ = false;
    return changed;
  }
  bool failure(int64_t now_ms) {
    const std::lock_guard lock(mutex_);
    const bool changed = pause_ms_ == 0;
    // Those who were already asking when the first of them failed do not lengthen the pause.
    if (!changed && !trying_) return false;
    trying_ = false;
    pause_ms_ = changed ? shortest_ms_ : std::min(2 * pause_ms_, longest_ms_);
    retry_ms_ = now_ms + pause_ms_;
    return changed;
  }

  bool closed() const {
    const std::lock_guard lock(mutex_);
    return pause_ms_ == 0;
  }

 private:
  const int64_t shortest_ms_, longest_ms_;
  mutable std::mutex mutex_;
  int64_t pause_ms_ = 0;  // 0: all may ask
  int64_t retry_ms_ = 0;
  bool trying_ = false;  // after a pause
};

}  // namespace vsr::base
