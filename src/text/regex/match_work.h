// How much work the expressions of a tokenizer may make of a text: they come with checkpoints, from anyone, and
// backtracking over a text can take any time.
#pragma once

#include <cstddef>

namespace vsr::text {

// What a text of `bytes` bytes is allowed.
size_t match_steps(size_t bytes);

// While it lives, all that this thread matches shares `steps` of work, in however many pieces the text is matched.
// Inside of another one it changes nothing.
class MatchWork {
 public:
  explicit MatchWork(size_t steps);
  ~MatchWork();
  MatchWork(const MatchWork&) = delete;
  MatchWork& operator=(const MatchWork&) = delete;

  // Takes steps from what is left on this thread. Throws kLimit when there are no more, and what the thread's call ends
  // with (base/checkpoint.h).
  static void spend(size_t steps) {
    if (steps > left_) refill(steps);
    left_ -= steps;
  }

 private:
  static void refill(size_t steps);
  static thread_local size_t left_;     // until the call's limits are asked again
  static thread_local size_t reserve_;  // and after that
  static thread_local bool active_;
  bool outermost_;
};

}  // namespace vsr::text
