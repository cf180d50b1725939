// What calls ask of a model, in the form in which it can be packed with what other calls ask: a list of items, each one
// sequence, that are taken in order, some at a time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <vector>

#include "core/schedule/running_batch.h"

namespace vsr::core {

struct WorkItem {
  size_t tokens = 1;
  size_t rows = 1;  // of the largest step: the tokens, once for each adapter that has rows of its own
};

// Lives with the call that waits for it. Methods are called on the pool's threads.
class Work {
 public:
  // `items` are not empty.
  explicit Work(std::vector<WorkItem> items);
  virtual ~Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // Whether items of both can be in one batch; an equivalence.
  virtual bool packs_with(const Work& other) const = 0;
  // Floating-point operations for one token, roughly; decides how many cores are worth their synchronisation.
  virtual double operations_per_token() const = 0;
  // What runs a batch of this work and others that pack with it; no method, as the work may be gone before its batch is
  // done. Batches of one work may run at the same time. What it throws is every share's error, so that these are run
  // again one by one.
  using Runner = void (*)(RunningBatch& batch);
  virtual Runner runner() const = 0;

  // What running it threw, once the pool has done with it; null: all of it ran.
  const std::exception_ptr& error() const { return error_; }

  size_t tokens_of(const ItemRange& range) const {
    size_t tokens = 0;
    for (size_t i = 0; i < range.count; ++i) tokens += items_[range.first + i].tokens;
    return tokens;
  }

 private:
  friend class WorkQueue;
  friend class ComputePool;

  bool all_taken() const { return next_ == items_.size(); }

  // With the pool's lock held.
  const std::vector<WorkItem> items_;
  size_t next_ = 0;            // the first item that was not taken
  size_t waiting_tokens_ = 0;  // of items that were not taken
  size_t running_ = 0;         // shares in batches
  bool given_up_ = false;      // nobody wants the rest
  std::exception_ptr error_;
  std::vector<ItemRange> finished_;  // that the caller has not heard of
  std::condition_variable_any changed_;
};

}  // namespace vsr::core
