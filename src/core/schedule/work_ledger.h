// The works of a pool from their coming to their end: which of them wait, what of them runs, and how each ended.
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "core/schedule/pool_state.h"
#include "core/schedule/work.h"
#include "core/schedule/work_queue.h"

namespace vsr::core {

class WorkLedger {
 public:
  // Guards this, the private part of every work in it, and what its pool keeps beside it.
  std::mutex& mutex() const { return mutex_; }

  // With the lock held.
  void add(Work& work);
  // The shares of a batch, which count as running until they are finished or let go of. Empty if nothing within the
  // limits waits.
  std::vector<Share> start(const BatchLimits& limits);
  bool waits() const { return !queue_.empty(); }
  size_t waiting_tokens() const { return queue_.tokens(); }
  // Works that wait, run, or are not retired yet.
  size_t unfinished() const { return unfinished_.size(); }
  // What waits and what was done; the pool knows the rest.
  PoolState state() const;
  // Of the parent's works, in a child made by fork().
  void forget();

  // These take the lock. Shares that were let go of are passed over; those that end here are.
  void finish(std::span<Share> shares, const std::exception_ptr& error);
  // Those of works that nobody waits for, or that have failed elsewhere.
  void let_go_of_ended(std::span<Share> shares);
  // Each of them runs in place of the whole.
  std::vector<Share> halves_of(const Share& share);
  // Waits until nothing of the work runs; no thread touches it afterwards.
  void retire(Work& work);
  void wake_all();

 private:
  void let_go(Share& share);

  mutable std::mutex mutex_;
  WorkQueue queue_;
  std::set<Work*> unfinished_;
  PoolState totals_;
};

}  // namespace vsr::core
