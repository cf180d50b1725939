// The works of a pool from their coming to their end: which of them wait and how batches are made of these, what of
// them runs, and how each ended. Fair by tokens: works take turns, a turn is a few hundred tokens, and who has been
// served and wants more goes to the end.
#pragma once

#include <cstddef>
#include <exception>
#include <list>
#include <mutex>
#include <set>
#include <span>
#include <vector>

#include "core/schedule/pool_state.h"
#include "core/schedule/row_blocks.h"
#include "core/schedule/work.h"

namespace vsr::core {

inline constexpr size_t kTokensPerBatch = kRowsPerProduct;
// The most rows where adapters have their own, which bounds memory.
inline constexpr size_t kRowsPerBatch = 8192;
// What a work adds to a batch before it is the next one's turn.
inline constexpr size_t kTokensPerTurn = 512;

struct BatchLimits {
  size_t target = kTokensPerBatch;  // nothing is added to a batch of this many tokens
  size_t most = kTokensPerBatch;    // nor to any what would take it above this; a first item may be longer
  size_t longest_item = SIZE_MAX;   // longer ones are left where they are
};

class WorkQueue {
 public:
  // Guards this, the private part of every work in it, and what its pool keeps beside it.
  std::mutex& mutex() const { return mutex_; }

  // With the lock held.
  void add(Work& work);
  // The shares of one batch: of the work at the front, and of those after it that pack with it. They count as running
  // until they are finished or let go of. Empty if nothing within the limits waits.
  std::vector<Share> take(const BatchLimits& limits);
  bool waits() const { return !waiting_.empty(); }
  size_t waiting_tokens() const { return waiting_tokens_; }
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
  // Takes out what waits of the work, and waits until nothing of it runs; no thread touches it afterwards.
  void retire(Work& work);
  void wake_all();

 private:
  class Packer;
  std::vector<Share> pack(const BatchLimits& limits);
  void stop_waiting(Work& work);
  void let_go(Share& share);

  mutable std::mutex mutex_;
  std::list<Work*> waiting_;
  size_t waiting_tokens_ = 0;
  std::set<Work*> unfinished_;
  PoolState totals_;
};

}  // namespace vsr::core
