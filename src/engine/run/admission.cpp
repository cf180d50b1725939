#include "engine/run/admission.h"

namespace vsr::engine {
namespace {

constexpr size_t kDefaultCalls = 4096;
constexpr size_t kDefaultTokens = size_t{8} << 20;

}  // namespace

Admission::Admission(const QueueLimits& limits) {
  state_.limits.calls = limits.calls == 0 ? kDefaultCalls : limits.calls;
  state_.limits.tokens = limits.tokens == 0 ? kDefaultTokens : limits.tokens;
}

QueueState Admission::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

Admission::Ticket::Ticket(Admission& admission) : admission_(admission) {
  const std::lock_guard lock(admission_.mutex_);
  QueueState& state = admission_.state_;
  if (state.calls >= state.limits.calls || state.tokens >= state.limits.tokens) {
    ++state.rejected;
    base::fail(base::Status::kLimit, "queue is full: ", state.calls, " calls with ", state.tokens,
               " tokens wait or run, the limits are ", state.limits.calls, " calls and ", state.limits.tokens,
               " tokens");
  }
  ++state.calls;
  ++state.accepted;
}

Admission::Ticket::~Ticket() {
  const std::lock_guard lock(admission_.mutex_);
  --admission_.state_.calls;
  admission_.state_.tokens -= tokens_;
}

void Admission::Ticket::hold(size_t tokens) {
  const std::lock_guard lock(admission_.mutex_);
  admission_.state_.tokens += tokens - tokens_;
  tokens_ = tokens;
}

void Admission::Ticket::end_with(base::Status status) {
  const std::lock_guard lock(admission_.mutex_);
  if (status == base::Status::kCancelled) ++admission_.state_.cancelled;
  if (status == base::Status::kDeadline) ++admission_.state_.late;
}

}  // namespace vsr::engine
