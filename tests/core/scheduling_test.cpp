// When calls run, with whom, and how they end; see work_queue_test.cpp for what is in a batch.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/call_limits.h"
#include "core/schedule/compute_pool.h"
#include "core/support/fake_work.h"
#include "support/failure.h"

using namespace vsr::core;
using namespace std::chrono_literals;
using vsr::base::CallLimits;
using vsr::base::Status;
using vsr::test::Failure;
using vsr::test::failure_of;
using vsr::test::FakeWork;

namespace {

constexpr int kThreads = 3;  // as compute_pool_test.cpp has it: the pool is the process's

ComputePool& pool() { return ComputePool::shared(kThreads); }

// Polls, as no test may hang: false when it takes ten seconds.
bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 10000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

// A caller hears of its result a moment before its core is free again.
void wait_until_idle() {
  REQUIRE(eventually([] { return pool().state().busy_threads == 0; }));
}

// Keeps every core that is free busy until it is destroyed or opened.
class Blockade {
 public:
  Blockade() {
    while (pool().state().busy_threads < kThreads) {
      callers_.emplace_back([this] {
        pool().run([this] {
          ++entered_;
          opened_.wait();
        });
      });
      REQUIRE(eventually([&] { return entered_ == callers_.size(); }));
    }
  }
  ~Blockade() { open(); }
  void open() {
    if (!opened_.try_wait()) opened_.count_down();
    for (std::thread& caller : callers_) {
      if (caller.joinable()) caller.join();
    }
  }

 private:
  std::latch opened_{1};
  std::atomic<size_t> entered_{0};
  std::vector<std::thread> callers_;
};

Failure run(Work& work, const CallLimits& limits = {}) {
  return failure_of([&] {
    Work* const works[] = {&work};
    pool().run(works, limits, {});
    if (work.error()) std::rethrow_exception(work.error());
  });
}

bool is_there(const RunningBatch& batch, const Work& work) {
  for (const Share& share : batch.shares()) {
    if (share.work == &work) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("scheduling: calls that wait for a core share batches, and every item runs once", "[core][schedule]") {
  constexpr size_t kCalls = 12;
  std::mutex mutex;
  size_t batches = 0;
  std::vector<int> runs(kCalls * 2, 0);
  std::vector<std::unique_ptr<FakeWork>> works;
  const auto body = [&](RunningBatch& batch) {
    const std::lock_guard lock(mutex);
    ++batches;
    for (const Share& share : batch.shares()) {
      for (size_t w = 0; w < kCalls; ++w) {
        for (size_t i = 0; share.work == works[w].get() && i < share.items.count; ++i) {
          ++runs[2 * w + share.items.first + i];
        }
      }
    }
  };
  for (size_t i = 0; i < kCalls; ++i) works.push_back(std::make_unique<FakeWork>(std::vector<size_t>{10, 10}, body));
  wait_until_idle();
  Blockade blockade;
  std::vector<Failure> failures(kCalls);  // checked on this thread: Catch's assertions are for one
  std::vector<std::thread> callers;
  for (size_t i = 0; i < kCalls; ++i) callers.emplace_back([&, i] { failures[i] = run(*works[i]); });
  CHECK(eventually([] { return pool().state().waiting_works == kCalls; }));
  CHECK(pool().state().waiting_tokens == kCalls * 20);
  blockade.open();
  for (std::thread& caller : callers) caller.join();
  CHECK(std::ranges::none_of(failures, [](const Failure& failure) { return failure.status.has_value(); }));
  CHECK(runs == std::vector<int>(kCalls * 2, 1));
  CHECK(batches <= 3);
  CHECK(pool().state().waiting_works == 0);
}

TEST_CASE("scheduling: an idle pool runs a call at once, and says when all is done", "[core][schedule]") {
  std::atomic<int> ran{0};
  FakeWork work({5, 6, 7}, [&](RunningBatch& batch) { ran += static_cast<int>(batch.shares().front().items.count); });
  size_t heard = 0;
  Work* const works[] = {&work};
  pool().run(works, {}, [&](const Work&, std::span<const ItemRange> finished) {
    for (const ItemRange& range : finished) heard += range.count;
  });
  CHECK(ran == 3);
  CHECK(heard == 3);
}

TEST_CASE("scheduling: an error is that of its call alone", "[core][schedule]") {
  FakeWork* culprit = nullptr;
  const auto body = [&](RunningBatch& batch) {
    if (is_there(batch, *culprit)) vsr::base::fail(Status::kWeights, "bad");
  };
  FakeWork good({10}, body), bad({10}, body), late({10}, body);
  culprit = &bad;
  wait_until_idle();
  Blockade blockade;
  std::vector<Failure> failures(3);
  std::vector<std::thread> callers;
  FakeWork* const works[] = {&good, &bad, &late};
  for (size_t i = 0; i < 3; ++i) callers.emplace_back([&, i] { failures[i] = run(*works[i]); });
  CHECK(eventually([] { return pool().state().waiting_works == 3; }));
  blockade.open();
  for (std::thread& caller : callers) caller.join();
  CHECK_FALSE(failures[0].status);
  CHECK(failures[1] == Failure{Status::kWeights, "bad"});
  CHECK_FALSE(failures[2].status);
}

TEST_CASE("scheduling: what memory is too short for is run in parts", "[core][schedule]") {
  std::atomic<size_t> most{0}, done{0};
  const auto body = [&](RunningBatch& batch) {
    const size_t count = batch.shares().front().items.count;
    if (batch.shares().size() > 1 || count > 2) throw std::bad_alloc();
    most = std::max<size_t>(most, count);
    done += count;
  };
  FakeWork list(std::vector<size_t>(7, 10), body);
  CHECK_FALSE(run(list).status);
  CHECK(done == 7);
  CHECK(most == 2);
  FakeWork hopeless({10, 10}, [](RunningBatch&) { throw std::bad_alloc(); });
  CHECK(run(hopeless).status == Status::kOutOfMemory);
}

TEST_CASE("scheduling: a call that waits can be cancelled, and leaves nothing behind", "[core][schedule]") {
  wait_until_idle();
  Blockade blockade;
  FakeWork work({10});
  std::stop_source source;
  std::thread canceller([&] {
    eventually([] { return pool().state().waiting_works == 1; });
    source.request_stop();
  });
  CHECK(run(work, {.deadline = {}, .cancel = source.get_token()}).status == Status::kCancelled);
  canceller.join();
  CHECK(pool().state().waiting_works == 0);
  CHECK(pool().state().waiting_tokens == 0);
}

TEST_CASE("scheduling: a call that waits ends at its deadline", "[core][schedule]") {
  wait_until_idle();
  Blockade blockade;
  FakeWork work({10});
  CHECK(run(work, {.deadline = CallLimits::Clock::now() + 20ms, .cancel = {}}).status == vsr::base::Status::kDeadline);
  CHECK(pool().state().waiting_works == 0);
}

TEST_CASE("scheduling: a batch lets go of a call that was cancelled and goes on for the others", "[core][schedule]") {
  std::stop_source source;
  std::atomic<bool> running{false};
  FakeWork* leaves = nullptr;
  const auto body = [&](RunningBatch& batch) {
    running = true;
    for (int i = 0; i < 10000 && is_there(batch, *leaves); ++i) {
      std::this_thread::sleep_for(1ms);
      batch.checkpoint();
    }
  };
  auto cancelled = std::make_unique<FakeWork>(std::vector<size_t>{10}, body);
  FakeWork stays({10}, body);
  leaves = cancelled.get();
  wait_until_idle();
  Blockade blockade;
  Failure of_cancelled, of_other;
  std::thread first([&] {
    of_cancelled = run(*cancelled, {.deadline = {}, .cancel = source.get_token()});
    cancelled.reset();  // its memory goes while the batch runs
  });
  CHECK(eventually([] { return pool().state().waiting_works == 1; }));
  std::thread second([&] { of_other = run(stays); });
  CHECK(eventually([] { return pool().state().waiting_works == 2; }));
  blockade.open();
  CHECK(eventually([&] { return running.load(); }));
  source.request_stop();
  first.join();
  second.join();
  CHECK(of_cancelled.status == Status::kCancelled);
  CHECK_FALSE(of_other.status);
}

TEST_CASE("scheduling: a batch that nobody waits for ends early", "[core][schedule]") {
  std::atomic<int> passes{0};
  FakeWork work({10}, [&](RunningBatch& batch) {
    for (; passes < 100000; ++passes) {
      std::this_thread::sleep_for(1ms);
      batch.checkpoint();
    }
  });
  CHECK(run(work, {.deadline = CallLimits::Clock::now() + 10ms, .cancel = {}}).status == vsr::base::Status::kDeadline);
  CHECK(passes < 100000);
}

TEST_CASE("scheduling: short texts run in the pauses of a long batch", "[core][schedule]") {
  wait_until_idle();
  std::atomic<bool> started{false}, short_done{false};
  FakeWork long_work({2000}, [&](RunningBatch& batch) {
    started = true;
    for (int i = 0; i < 10000 && !short_done; ++i) {
      std::this_thread::sleep_for(1ms);
      batch.checkpoint();
    }
  });
  Failure of_long;
  std::thread caller([&] { of_long = run(long_work); });
  CHECK(eventually([&] { return started.load(); }));
  {
    const Blockade others;  // no other core is free
    FakeWork short_work({100});
    CHECK_FALSE(run(short_work).status);
    short_done = true;
  }
  caller.join();
  CHECK_FALSE(of_long.status);
}

TEST_CASE("scheduling: what a listener throws ends the call", "[core][schedule]") {
  FakeWork work(std::vector<size_t>(20, 2000));
  Work* const works[] = {&work};
  const auto listener = [](const Work&, std::span<const ItemRange>) { vsr::base::fail(Status::kCancelled, "enough"); };
  CHECK(failure_of([&] { pool().run(works, {}, listener); }) == Failure{Status::kCancelled, "enough"});
  CHECK(eventually([] { return pool().state().waiting_works == 0; }));
}

TEST_CASE("scheduling: works of one call run at once, and each has its own error", "[core][schedule]") {
  std::atomic<int> ran{0};
  const auto body = [&](RunningBatch& batch) { ran += static_cast<int>(batch.shares().front().items.count); };
  FakeWork first({10, 10}, body), bad(
                                      {10}, [](RunningBatch&) { vsr::base::fail(Status::kWeights, "bad"); }, 1);
  FakeWork last({10, 10, 10}, body, 2);
  Work* const works[] = {&first, &bad, &last};
  std::vector<size_t> heard(3);
  pool().run(works, {}, [&](const Work& work, std::span<const ItemRange> finished) {
    for (const ItemRange& range : finished) heard[std::ranges::find(works, &work) - works] += range.count;
  });
  CHECK(ran == 5);
  CHECK(heard == std::vector<size_t>{2, 0, 3});
  CHECK_FALSE(first.error());
  CHECK(failure_of([&] { std::rethrow_exception(bad.error()); }) == Failure{Status::kWeights, "bad"});
  CHECK_FALSE(last.error());
}
