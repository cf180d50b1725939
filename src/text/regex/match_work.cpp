#include "text/regex/match_work.h"

#include <algorithm>

#include "base/checkpoint.h"
#include "base/error.h"

namespace vsr::text {
namespace {

// Expressions of real tokenizers take some 25 steps for a byte, and the square of its length for a long number.
constexpr size_t kStepsPerText = 20'000'000;
constexpr size_t kStepsPerByte = 64;
// Between two looks at the call's limits: a millisecond or less.
constexpr size_t kStepsAtOnce = size_t{64} << 10;

}  // namespace

thread_local size_t MatchWork::left_ = 0;
thread_local size_t MatchWork::reserve_ = 0;
thread_local bool MatchWork::active_ = false;

size_t match_steps(size_t bytes) { return kStepsPerText + kStepsPerByte * bytes; }

MatchWork::MatchWork(size_t steps) : outermost_(!active_) {
  if (!outermost_) return;
  active_ = true;
  left_ = 0;
  reserve_ = steps;
}

MatchWork::~MatchWork() {
  if (outermost_) active_ = false;
}

void MatchWork::refill(size_t steps) {
  base::check_thread_limits();
  if (steps > left_ + reserve_)
    base::fail(base::Status::kLimit, "text: the tokenizer's expression takes too long on it");
  const size_t taken = std::min(reserve_, std::max(steps, kStepsAtOnce));
  left_ += taken;
  reserve_ -= taken;
}

}  // namespace vsr::text
