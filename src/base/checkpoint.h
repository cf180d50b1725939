// Where loops over texts ask whether their call has ended. The limits of a call belong to the threads that work for it:
// tokenizers, folds and scanners ask for them here and need not pass them on.
#pragma once

#include <cstddef>

#include "base/call_limits.h"

namespace vsr::base {

namespace detail {
inline constinit thread_local const CallLimits* thread_limits = nullptr;
}

// Null: none.
inline const CallLimits* thread_limits() { return detail::thread_limits; }

// While it lives, this thread works under `limits`, which outlive it. Null: under none, for what later calls need too.
class LimitScope {
 public:
  explicit LimitScope(const CallLimits* limits) noexcept : before_(detail::thread_limits) {
    detail::thread_limits = limits;
  }
  ~LimitScope() { detail::thread_limits = before_; }
  LimitScope(const LimitScope&) = delete;
  LimitScope& operator=(const LimitScope&) = delete;

 private:
  const CallLimits* before_;
};

// Throws kCancelled or kDeadline once this thread's call has reached one.
inline void check_thread_limits() {
  if (thread_limits() != nullptr) thread_limits()->check();
}

// Of one loop: told how far it has come, it checks every kStride bytes (or as many steps), which take a few
// milliseconds of the slowest loop.
class Checkpoint {
 public:
  static constexpr size_t kStride = size_t{32} << 10;

  explicit Checkpoint(size_t begin = 0) : next_(begin + kStride) {}
  void operator()(size_t position) {
    if (position < next_) return;
    next_ = position + kStride;
    check_thread_limits();
  }
  // For loops without a position: this much more was done.
  void add(size_t amount) { (*this)(done_ += amount); }

 private:
  size_t next_;
  size_t done_ = 0;
};

}  // namespace vsr::base
