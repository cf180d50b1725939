// Foreign threads call, vsr's own compute: a Go program's threads must not bring a pool of OpenMP threads each.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
#include <functional>
#include <iterator>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "support/engines.h"
#include "support/goldens.h"

using namespace vsr;

namespace {

size_t thread_count() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

// How many threads there are beside `callers` that have called `body` and live on, as a goroutine's thread would.
size_t threads_beside(size_t callers, const std::function<void()>& body) {
  std::latch done(static_cast<std::ptrdiff_t>(callers)), counted(1);
  std::vector<std::thread> threads;
  for (size_t i = 0; i < callers; ++i) {
    threads.emplace_back([&] {
      body();
      done.count_down();
      counted.wait();
    });
  }
  done.wait();
  const size_t count = thread_count() - callers;
  counted.count_down();
  for (std::thread& thread : threads) thread.join();
  return count;
}

// This thread, the pool with a team for each at most, and oneTBB's workers.
size_t most_threads() {
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return 1 + cores * cores + cores;
}

}  // namespace

TEST_CASE("threads: sixty-four callers of embed leave no threads of OpenMP behind", "[engine][threads]") {
  const auto engine = test::open_goldens({"bert-embedding"});
  std::vector<std::string> texts(40, "please help me transfer money to my bank account and book a flight to paris");
  const auto views = test::views(texts);
  const auto expected = engine->embed(views, {}).values;
  std::atomic<int> wrong{0};
  const size_t threads = threads_beside(64, [&] {
    for (int n = 0; n < 3; ++n) {
      if (test::distance(engine->embed(views, {}).values, expected) > 1e-6) ++wrong;
    }
  });
  CHECK(wrong == 0);
  CHECK(threads <= most_threads());
}

TEST_CASE("threads: sixteen that open an engine leave no threads of OpenMP behind", "[engine][threads]") {
  for (const std::string dtype : {"float32", "int8"}) {
    engine::EngineOptions options = test::engine_options({"bert-embedding"});
    options.models[0].dtype = dtype;
    CHECK(threads_beside(16, [&] { engine::Engine::open(options); }) <= most_threads());
  }
}
