// Foreign threads call, vsr's own compute: a Go program's threads must not bring a pool of OpenMP threads each.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <filesystem>
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

}  // namespace

TEST_CASE("threads: sixty-four callers of embed leave no threads of OpenMP behind", "[engine][threads]") {
  constexpr size_t kCallers = 64;
  const size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const auto engine = test::open_goldens({"bert-embedding"});
  std::vector<std::string> texts(40, "please help me transfer money to my bank account and book a flight to paris");
  const auto views = test::views(texts);
  const auto expected = engine->embed(views, {}).values;
  std::latch computed(kCallers), counted(1);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (size_t i = 0; i < kCallers; ++i) {
    callers.emplace_back([&] {
      for (int n = 0; n < 3; ++n) {
        if (test::distance(engine->embed(views, {}).values, expected) > 1e-6) ++wrong;
      }
      computed.count_down();
      counted.wait();  // alive while threads are counted, as a goroutine's thread would be
    });
  }
  computed.wait();
  const size_t threads = thread_count();
  counted.count_down();
  for (std::thread& caller : callers) caller.join();
  CHECK(wrong == 0);
  // This thread, the callers, the pool with a team each at most, and oneTBB's workers.
  CHECK(threads <= 1 + kCallers + cores * cores + cores);
}
