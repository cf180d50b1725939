#include "base/call_limits.h"

#include <algorithm>

#include "base/error.h"
#include "base/process.h"

namespace vsr::base {
namespace {

// Further away is as good as never, and a time point counts nanoseconds.
constexpr int64_t kMostMilliseconds = int64_t{1000} * 60 * 60 * 24 * 365;

}  // namespace

void CallLimits::check() const {
  check_not_ending();
  if (cancel.stop_requested()) fail(Status::kCancelled, "the call was cancelled");
  if (deadline && Clock::now() >= *deadline) fail(Status::kDeadline, "the deadline of the call has passed");
}

std::optional<CallLimits::Clock::time_point> deadline_in(int64_t milliseconds) {
  if (milliseconds == 0) return std::nullopt;
  const int64_t bounded = std::clamp(milliseconds, -kMostMilliseconds, kMostMilliseconds);
  return CallLimits::Clock::now() + std::chrono::milliseconds(bounded);
}

}  // namespace vsr::base
