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
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "base/call_limits.h"
#include "base/process.h"
#include "core/schedule/load_meter.h"
#include "core/schedule/pool_batch.h"
#include "core/schedule/pool_state.h"
#include "core/schedule/work.h"
#include "core/schedule/work_ledger.h"

namespace vsr::core {

// Thread-safe.
class ComputePool {
 public:
  // The process's pool. The first call decides the number of threads (0: one per core); throws kState when a later one
  // asks for another.
  static ComputePool& shared(int threads);

  // Runs `work` in inference mode on one of the pool's threads and waits. What `work` throws is thrown here,
  // LibTorch's exceptions as base::Error. In a child made by fork(), which has no copy of the threads, new ones are
  // made.
  void run(const std::function<void()>& work);

  int threads() const { return threads_; }
  PoolState state() const;

 private:
  friend class Submission;
  // A thread without a batch waits in its own place, so that batches go to the first of those that are idle: a worker
  // keeps the OpenMP threads of its largest batch, and with the same few doing the large ones there are few of these.
  struct Worker {
    std::unique_ptr<PoolBatch> batch;
    std::condition_variable given;
  };
  explicit ComputePool(int threads);
  void start_threads();
  void forget_threads();
  void serve(size_t index);
  void submit(Work& work);

  // With the lock held.
  void dispatch();
  int cores_for(const PoolBatch& batch, size_t waiting_tokens);

  const int threads_;
  WorkLedger works_;  // its lock guards all below, too
  LoadMeter load_;
  int free_cores_;
  std::set<size_t> idle_;
  std::vector<std::unique_ptr<Worker>> workers_;
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
