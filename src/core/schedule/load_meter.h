// How many calls share the cores: those there are, or were a moment ago. A caller that asks again and again is away for
// a moment between two calls; giving its core to others would take turns where each could have its own.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace vsr::core {

class LoadMeter {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kMoment{50};

  // The largest count of this moment and the one before.
  size_t most(size_t now, Clock::time_point time) {
    if (time - began_ >= kMoment) {
      before_ = time - began_ < 2 * kMoment ? current_ : 0;
      current_ = 0;
      began_ = time;
    }
    current_ = std::max(current_, now);
    return std::max(current_, before_);
  }

 private:
  Clock::time_point began_{};
  size_t current_ = 0;
  size_t before_ = 0;
};

}  // namespace vsr::core
