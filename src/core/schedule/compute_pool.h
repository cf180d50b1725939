// Where computing happens: a few threads of vsr's own, shared by all engines of the process. Foreign threads (Go's,
// Python's) only wait: OpenMP keeps a pool of threads for each thread that ever computed, so computing on theirs would
// leave one pool behind for every goroutine's thread. The only file that touches LibTorch's process-wide settings.
//
// Scheduling. While a core is free, what comes is run at once. What comes while all are taken waits, and forms the next
// batch (work_queue.h). A single call gets all cores, several get one each, and there are never more busy threads than
// cores. A batch of many tokens lets short texts run in its pauses.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "base/call_limits.h"
#include "base/process.h"
#include "core/schedule/load_meter.h"
#include "core/schedule/pool_state.h"
#include "core/schedule/work.h"
#include "core/schedule/work_queue.h"

namespace vsr::core {

// Thread-safe.
class ComputePool {
 public:
  // The process's pool. The first call decides the number of threads (0: one per core); throws kState when a later one
  // asks for another.
  static ComputePool& shared(int threads);
  ~ComputePool() = delete;  // its threads may outlive the host's static objects
  ComputePool(const ComputePool&) = delete;
  ComputePool& operator=(const ComputePool&) = delete;

  // Runs `job` in inference mode on one of the pool's threads and waits. What `job` throws is thrown here, LibTorch's
  // exceptions as base::Error. In a child made by fork(), which has no copy of the threads, new ones are made.
  void run(const std::function<void()>& job);

  // Runs the works, at the same time, and waits until all of them have ended; Work::error() says how. `on_finished`,
  // which may be empty, hears on this thread which items of a work are done. Throws what that throws, kCancelled or
  // kDeadline when `limits` are reached, and kState when the process ends, or is a child that `on_finished` forked.
  // Whether it returns or throws, no thread touches the works afterwards.
  using OnFinished = std::function<void(const Work& work, std::span<const ItemRange> items)>;
  void run(std::span<Work* const> works, const base::CallLimits& limits, const OnFinished& on_finished);

  int threads() const { return threads_; }
  PoolState state() const;

 private:
  class Batch;
  class Stay;
  struct Worker;

  explicit ComputePool(int threads);
  void start_threads();
  void forget_threads();
  void serve(size_t index);
  void submit(Work& work);

  // With the lock held.
  void dispatch();
  int cores_for(const Batch& batch, size_t waiting_tokens);

  const int threads_;
  WorkQueue queue_;  // its lock guards all below, too
  LoadMeter load_;
  int free_cores_;
  std::set<size_t> idle_;
  std::vector<std::unique_ptr<Worker>> workers_;
  base::ProcessHooks hooks_;
};

}  // namespace vsr::core
