#include "base/circuit_breaker.h"

#include <catch2/catch.hpp>

using vsr::base::CircuitBreaker;

TEST_CASE("circuit breaker: pauses double, one tries at a time, success ends them", "[base][circuit_breaker]") {
  CircuitBreaker breaker(100, 300);
  CHECK(breaker.allow(0));
  CHECK(breaker.failure(10));
  CHECK_FALSE(breaker.closed());
  CHECK_FALSE(breaker.failure(11));  // it was asking already
  CHECK_FALSE(breaker.allow(109));
  CHECK(breaker.allow(110));
  CHECK_FALSE(breaker.allow(111));
  breaker.failure(120);
  CHECK_FALSE(breaker.allow(319));
  CHECK(breaker.allow(320));
  breaker.failure(320);  // 400 would be more than the longest
  CHECK_FALSE(breaker.allow(619));
  CHECK(breaker.allow(620));
  CHECK(breaker.success());
  CHECK(breaker.closed());
  CHECK(breaker.allow(621));
  CHECK_FALSE(breaker.success());
}
