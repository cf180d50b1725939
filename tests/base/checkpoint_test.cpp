#include "base/checkpoint.h"

#include <catch2/catch.hpp>
#include <string>

#include "base/parallel.h"
#include "base/utf8.h"
#include "support/failure.h"

using namespace vsr::base;
using vsr::test::failure_of;

TEST_CASE("checkpoint: a loop ends soon after its call's deadline, and only within the scope", "[base]") {
  const CallLimits late{deadline_in(-1), {}};
  const auto loop = [] {
    Checkpoint checkpoint;
    for (size_t i = 0; i < 2 * Checkpoint::kStride; ++i) checkpoint(i);
  };
  CHECK_FALSE(failure_of(loop).status);
  {
    const LimitScope scope(&late);
    CHECK(failure_of(loop).status == Status::kDeadline);
    const LimitScope without(nullptr);
    CHECK_FALSE(failure_of(loop).status);
  }
  CHECK_FALSE(failure_of(loop).status);
}

TEST_CASE("checkpoint: work that has no position adds up", "[base]") {
  const CallLimits late{deadline_in(-1), {}};
  const LimitScope scope(&late);
  CHECK(failure_of([] {
          Checkpoint work;
          for (size_t i = 0; i < 1000; ++i) work.add(100);
        }).status == Status::kDeadline);
}

TEST_CASE("checkpoint: threads of a parallel loop work under the caller's limits", "[base]") {
  const CallLimits late{deadline_in(-1), {}};
  const LimitScope scope(&late);
  CHECK(failure_of([] { parallel_for(8, [](size_t) { check_thread_limits(); }); }).status == Status::kDeadline);
}

TEST_CASE("checkpoint: repairing a text ends with its call", "[base]") {
  const CallLimits late{deadline_in(-1), {}};
  const LimitScope scope(&late);
  const std::string text(1 << 20, '\xFF');
  CHECK(failure_of([&] { CleanText clean(text); }).status == Status::kDeadline);
}
