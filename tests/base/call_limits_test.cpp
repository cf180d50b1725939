#include "base/call_limits.h"

#include <catch2/catch.hpp>
#include <limits>

#include "support/failure.h"

using namespace vsr::base;
using vsr::test::failure_of;

TEST_CASE("call limits: without any a call goes on", "[base]") {
  CHECK_FALSE(failure_of([] { CallLimits{}.check(); }).status);
}

TEST_CASE("call limits: zero milliseconds are no deadline, fewer have passed", "[base]") {
  CHECK_FALSE(deadline_in(0));
  CHECK(failure_of([] { CallLimits{deadline_in(-1), {}}.check(); }).status == Status::kDeadline);
  CHECK_FALSE(failure_of([] { CallLimits{deadline_in(60'000), {}}.check(); }).status);
}

TEST_CASE("call limits: the largest numbers overflow nothing", "[base]") {
  CHECK_FALSE(failure_of([] { CallLimits{deadline_in(std::numeric_limits<int64_t>::max()), {}}.check(); }).status);
  CHECK(failure_of([] {
          CallLimits{deadline_in(std::numeric_limits<int64_t>::min()), {}}.check();
        }).status == Status::kDeadline);
}

TEST_CASE("call limits: a cancelled call says so, even if it is late too", "[base]") {
  std::stop_source source;
  const CallLimits limits{deadline_in(-1), source.get_token()};
  source.request_stop();
  CHECK(failure_of([&] { limits.check(); }).status == Status::kCancelled);
}
