#include "core/schedule/compute_pool.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <c10/core/InferenceMode.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/schedule/parallel.h"
#include "support/failure.h"
#include "support/threads.h"

using namespace vsr::core;
using vsr::base::Status;
using vsr::test::Failure;
using vsr::test::failure_of;

namespace {

constexpr int kThreads = 3;

ComputePool& pool() { return ComputePool::shared(kThreads); }

// On all threads that OpenMP has for this one.
void compute() {
  parallel_pieces(kThreads, 1, [](int64_t, int64_t) {});
}

}  // namespace

TEST_CASE("compute pool: the first call decides the number of threads", "[core][compute_pool]") {
  CHECK(pool().threads() == kThreads);
  CHECK(&ComputePool::shared(0) == &pool());
  CHECK(failure_of([] { ComputePool::shared(2); }) ==
        Failure{Status::kState, "threads is 2, but this process computes with 3 since its first engine"});
  for (const int threads : {-1, 1025}) {
    CHECK(failure_of([&] { ComputePool::shared(threads); }).status == Status::kInvalidArgument);
  }
}

TEST_CASE("compute pool: work runs in inference mode on a thread of the pool", "[core][compute_pool]") {
  std::thread::id id;
  bool inference = false;
  pool().run([&] {
    id = std::this_thread::get_id();
    inference = c10::InferenceMode::is_enabled();
  });
  CHECK(id != std::thread::id());
  CHECK(id != std::this_thread::get_id());
  CHECK(inference);
  CHECK_FALSE(c10::InferenceMode::is_enabled());
}

TEST_CASE("compute pool: what work throws arrives at the caller, and the pool goes on", "[core][compute_pool]") {
  CHECK(failure_of([] { pool().run([] { vsr::base::fail(Status::kLimit, "too much"); }); }) ==
        Failure{Status::kLimit, "too much"});
  CHECK_THROWS_AS(pool().run([] { throw std::logic_error("x"); }), std::logic_error);
  CHECK_THROWS_AS(pool().run([] { throw 7; }), int);
  const Failure torch = failure_of([] { pool().run([] { at::mm(at::empty({2, 3}), at::empty({2, 3})); }); });
  CHECK(torch.status == Status::kInternal);
  CHECK(torch.message.find("shapes cannot be multiplied") != std::string::npos);
  CHECK(torch.message.find('\n') == std::string::npos);
  const Failure memory = failure_of([] { pool().run([] { at::empty({int64_t{1} << 50}); }); });
  CHECK(memory.status == Status::kOutOfMemory);
  int ran = 0;
  pool().run([&] { ++ran; });
  CHECK(ran == 1);
}

TEST_CASE("compute pool: jobs of many callers run on every thread at once, and none is lost", "[core][compute_pool]") {
  std::atomic<int> done{0}, now{0}, most{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 16; ++i) {
    callers.emplace_back([&] {
      for (int n = 0; n < 50; ++n) {
        pool().run([&] {
          const int running = ++now;
          for (int seen = most; seen < running && !most.compare_exchange_weak(seen, running);) continue;
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          --now;
          ++done;
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  CHECK(done == 800);
  CHECK(most == kThreads);
}

TEST_CASE("compute pool: calls one after another stay on one thread", "[core][compute_pool]") {
  std::vector<std::thread::id> ids(20);
  for (auto& id : ids) {
    // Before the thread of the last call is idle again, the next idle one would take this one.
    while (pool().state().busy_threads > 0) std::this_thread::yield();
    pool().run([&] { id = std::this_thread::get_id(); });
  }
  CHECK(std::all_of(ids.begin(), ids.end(), [&](const auto& id) { return id == ids.front(); }));
}

TEST_CASE("compute pool: callers' own threads bring no OpenMP threads along", "[core][compute_pool]") {
  pool().run(compute);
  const size_t before = vsr::test::thread_count();
  const size_t during = vsr::test::threads_beside(64, [] {
    for (int n = 0; n < 4; ++n) pool().run(compute);
  });
  // Each of the pool's threads may keep a team of its own, the callers none.
  CHECK(during <= before + kThreads * (kThreads - 1));
}

#if !defined(__SANITIZE_THREAD__)
TEST_CASE("compute pool: a forked child computes on threads of its own", "[core][compute_pool]") {
  pool().run([] {});
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    std::atomic<int> runs{0};
    for (int i = 0; i < 3; ++i) pool().run([&] { ++runs; });
    ::_exit(runs == 3 ? 0 : 1);
  }
  REQUIRE(child > 0);
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif
