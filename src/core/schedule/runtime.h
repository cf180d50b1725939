// Where computing happens: a few threads of vsr's own, shared by all engines of the process. Foreign threads (Go's,
// Python's) only wait: OpenMP keeps a pool of threads for each thread that ever computed, so computing on theirs would
// leave one pool behind for every goroutine's thread. The only file that touches LibTorch's process-wide settings.
//
// Scheduling. While a core is free, what comes is run at once. What comes while all are taken waits, and forms the next
// batch (work_queue.h). A single call gets all cores, several get one each, and there are never more busy threads than
// cores. A batch of many tokens lets short texts run in its pauses.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "base/call_limits.h"
#include "base/process.h"
#include "core/schedule/work.h"
#include "core/schedule/work_queue.h"
#include "core/weights/load_meter.h"

namespace vsr::core {

// Of the whole process.
struct PoolState {
  int threads = 0;
  int busy_threads = 0;
  size_t waiting_works = 0;
  size_t waiting_tokens = 0;
  // Since the start.
  uint64_t batches = 0;
  uint64_t works = 0;  // shares of batches: works / batches is how many calls one batch served
  uint64_t items = 0;
  uint64_t tokens = 0;
};

// Thread-safe.
class ComputePool {
 public:
  // The process's pool. The first call decides the number of threads (0: one per core); throws kState when a later one
  // asks for another.
  static ComputePool& shared(int threads);

  // Runs `work` in inference mode on one of the pool's threads and waits. What `work` throws is thrown here,
  // LibTorch's exceptions as base::Error. In a child made by fork(), which has no copy of the threads, new ones are made.
  void run(const std::function<void()>& work);

  int threads() const { return threads_; }
  PoolState state() const;

 private:
  friend class Submission;
  class Batch;
  // A thread without a batch waits in its own place, so that batches go to the first of those that are idle: a worker
  // keeps the OpenMP threads of its largest batch, and with the same few doing the large ones there are few of these.
  struct Worker {
    std::unique_ptr<Batch> batch;
    std::condition_variable given;
  };
  explicit ComputePool(int threads);
  void start_threads();
  void forget_threads();
  void wake_calls();
  void serve(size_t index);
  void submit(Work& work);
  void retire(Work& work);
  void run_in_between(Batch& outer);

  // With the lock held.
  void dispatch();
  int cores_for(const Batch& batch, size_t waiting_tokens);
  void count(const Batch& batch);
  void finish(Share& share, const std::exception_ptr& error);
  void let_go(Share& share);

  const int threads_;
  mutable std::mutex mutex_;
  WorkQueue queue_;
  LoadMeter load_;
  std::set<Work*> unfinished_;
  int free_cores_;
  std::set<size_t> idle_;
  std::vector<std::unique_ptr<Worker>> workers_;
  PoolState totals_;
  base::ProcessHooks hooks_;
};

// A work in the queue, from construction on. Whatever happens, no thread touches the work when this is gone.
class Submission {
 public:
  Submission(ComputePool& pool, Work& work);
  ~Submission();
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  // Waits until all items are done. `on_finished`, which may be empty, hears on this thread which ones are. Throws what
  // running threw, what `on_finished` throws, kCancelled or kDeadline when `limits` are reached, and kState when the
  // process ends, or is a child that `on_finished` forked.
  void wait(const base::CallLimits& limits, const std::function<void(std::span<const ItemRange>)>& on_finished);

 private:
  bool is_of_this_process() const { return generation_ == base::fork_generation(); }

  ComputePool& pool_;
  Work& work_;
  const uint64_t generation_;
};

}  // namespace vsr::core
