// How many threads the process has.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <latch>
#include <thread>
#include <vector>

namespace vsr::test {

inline size_t thread_count() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

// How many threads there are beside `callers` that have called `body` and live on, as a goroutine's thread would.
inline size_t threads_beside(size_t callers, const std::function<void()>& body) {
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

}  // namespace vsr::test
