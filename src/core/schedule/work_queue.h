// Works that wait for a thread, and how batches are made of them. Fair by tokens: works take turns, a turn is a few
// hundred tokens, and who has been served and wants more goes to the end. Not thread-safe.
#pragma once

#include <cstddef>
#include <list>
#include <vector>

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
  void push(Work& work);
  // Takes out what waits of `work`, if anything.
  void remove(Work& work);

  // The shares of one batch: of the work at the front, and of those after it that pack with it. Empty if nothing
  // within the limits waits.
  std::vector<Share> take(const BatchLimits& limits);

  bool empty() const { return works_.empty(); }
  size_t works() const { return works_.size(); }
  size_t tokens() const { return tokens_; }

 private:
  class Packer;
  std::list<Work*> works_;
  size_t tokens_ = 0;
};

}  // namespace vsr::core
