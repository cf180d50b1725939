// A batch on one of the pool's threads.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

#include "core/schedule/running_batch.h"
#include "core/schedule/work_ledger.h"

namespace vsr::core {

class PoolBatch final : public RunningBatch {
 public:
  // `inner`: runs in a pause of another.
  PoolBatch(WorkLedger& works, std::vector<Share> shares, bool inner);

  std::span<const Share> shares() const override { return shares_; }
  void checkpoint() override;

  // Tells the works that their shares are done, or, in place of run(), why they are not.
  void end(const std::exception_ptr& error) { works_.finish(shares_, error); }
  // Runs everything and tells the works. Where shares fail together, each is run alone; where memory was too short for
  // one, its halves are.
  void run();

  size_t tokens() const { return tokens_; }
  double operations() const { return operations_; }
  int cores = 1;

 private:
  std::exception_ptr try_run();
  void run_again(std::exception_ptr error);
  void run_alone(const Share& share);
  void run_in_between();

  WorkLedger& works_;
  std::vector<Share> shares_;
  const bool inner_;
  size_t tokens_ = 0;
  double operations_ = 0;
};

}  // namespace vsr::core
