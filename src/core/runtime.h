// Where computing happens: a few threads of vsr's own, shared by all engines of the process. Foreign threads (Go's,
// Python's) only wait: OpenMP keeps a pool of threads for each thread that ever computed, so computing on theirs would
// leave one pool behind for every goroutine's thread. The only file that touches LibTorch's process-wide settings.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace vsr::core {

class ComputePool {
 public:
  // The process's pool. The first call decides the number of threads (0: one per core); throws kState when a later one
  // asks for another.
  static ComputePool& shared(int threads);

  // Runs `work` in inference mode on one of the pool's threads and waits. One caller's work uses all cores, that of
  // several one each. What `work` throws is thrown here, LibTorch's exceptions as base::Error. Throws kState in a
  // child made by fork(), which has no copy of the threads.
  void run(const std::function<void()>& work);

  int threads() const { return threads_; }

 private:
  struct Job {
    const std::function<void()>* work;
    std::exception_ptr error;
    bool done = false;
    std::condition_variable finished;
  };
  // A thread without a job waits in its own place, so that jobs go to the first of those that are idle: a worker keeps
  // the OpenMP threads of its largest job, and with the same few doing the large ones there are few of these.
  struct Worker {
    Job* job = nullptr;
    std::condition_variable given;
    std::thread thread;
  };
  explicit ComputePool(int threads);
  void serve(size_t index);
  void compute(Job& job, int sharing);
  // Calls that share the cores, those that wait included; with the lock held.
  int callers() const { return threads_ - static_cast<int>(idle_.size()) + static_cast<int>(waiting_.size()); }

  const int threads_;
  const pid_t process_;
  std::mutex mutex_;
  std::deque<Job*> waiting_;  // empty as long as a worker is idle
  std::set<size_t> idle_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace vsr::core
