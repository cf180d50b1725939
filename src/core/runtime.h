// Where computing happens: a few threads of vsr's own, shared by all engines of the process. Foreign threads (Go's,
// Python's) only wait: OpenMP keeps a pool of threads for each thread that ever computed, so computing on theirs would
// leave one pool behind for every goroutine's thread. The only file that touches LibTorch's process-wide settings.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace vsr::core {

class ComputePool {
 public:
  // The process's pool. The first call decides the number of threads (0: one per core); throws kState when a later one
  // asks for another.
  static ComputePool& shared(int threads);

  // Runs `work` in inference mode on one of the pool's threads and waits. One caller's work uses all cores, that of
  // several one each. What `work` throws is thrown here, LibTorch's exceptions as base::Error.
  void run(const std::function<void()>& work);

  int threads() const { return threads_; }

 private:
  struct Job {
    const std::function<void()>* work;
    std::exception_ptr error;
    bool done = false;
    std::condition_variable finished;
  };
  explicit ComputePool(int threads);
  void serve();

  const int threads_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Job*> waiting_;
  int running_ = 0;
  std::vector<std::thread> workers_;
};

}  // namespace vsr::core
