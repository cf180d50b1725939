// A semantic cache over directions in a plane, with a clock that a test moves.
#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "routing/cache/semantic_cache.h"

namespace vsr::test {

// The unit vector at `degrees` degrees; cos(10 degrees) is 0.985, cos(25) 0.906.
inline std::vector<float> at(double degrees) {
  const double radians = degrees * std::acos(-1.0) / 180;
  return {static_cast<float>(std::cos(radians)), static_cast<float>(std::sin(radians))};
}

struct FakeClock {
  std::shared_ptr<std::atomic<int64_t>> ms = std::make_shared<std::atomic<int64_t>>(1'700'000'000'000);
  void pass(int64_t passed_ms) { *ms += passed_ms; }
  std::function<int64_t()> function() const {
    return [ms = ms] { return ms->load(); };
  }
};

inline routing::CacheOptions plane_options(const FakeClock& clock) {
  routing::CacheOptions options;
  options.dim = 2;
  options.fingerprint = "plane";
  options.threshold = 0.95;
  options.veto = false;  // directions say what is near, whatever the texts
  options.clock = clock.function();
  return options;
}

inline const routing::PartitionKey kPartition = {"tenant", "model", "policy"};

}  // namespace vsr::test
