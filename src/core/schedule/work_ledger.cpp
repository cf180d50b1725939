#include "core/schedule/work_ledger.h"

namespace vsr::core {

void WorkLedger::add(Work& work) {
  unfinished_.insert(&work);
  queue_.push(work);
}

std::vector<Share> WorkLedger::start(const BatchLimits& limits) {
  std::vector<Share> shares = queue_.take(limits);
  if (shares.empty()) return shares;
  ++totals_.batches;
  totals_.works += shares.size();
  for (const Share& share : shares) {
    ++share.work->running_;
    totals_.items += share.items.count;
    totals_.tokens += share.work->tokens_of(share.items);
  }
  return shares;
}

PoolState WorkLedger::state() const {
  PoolState state = totals_;
  state.waiting_works = queue_.works();
  state.waiting_tokens = queue_.tokens();
  return state;
}

void WorkLedger::forget() {
  queue_ = {};
  unfinished_.clear();
}

void WorkLedger::finish(std::span<Share> shares, const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  for (Share& share : shares) {
    if (share.work == nullptr) continue;
    Work& work = *share.work;
    if (!error) {
      work.finished_.push_back(share.items);
    } else if (!work.error_) {
      work.error_ = error;
      if (!work.all_taken()) queue_.remove(work);
    }
    let_go(share);
  }
}

void WorkLedger::let_go_of_ended(std::span<Share> shares) {
  const std::lock_guard lock(mutex_);
  for (Share& share : shares) {
    if (share.work != nullptr && (share.work->given_up_ || share.work->error_)) let_go(share);
  }
}

std::vector<Share> WorkLedger::halves_of(const Share& share) {
  const std::lock_guard lock(mutex_);
  ++share.work->running_;
  const size_t half = share.items.count / 2;
  return {{share.work, {share.items.first, half}}, {share.work, {share.items.first + half, share.items.count - half}}};
}

void WorkLedger::retire(Work& work) {
  std::unique_lock lock(mutex_);
  work.given_up_ = true;
  if (!work.all_taken()) queue_.remove(work);
  work.changed_.wait(lock, [&work] { return work.running_ == 0; });
  unfinished_.erase(&work);
}

void WorkLedger::wake_all() {
  const std::lock_guard lock(mutex_);
  for (Work* work : unfinished_) work->changed_.notify_all();
}

void WorkLedger::let_go(Share& share) {
  --share.work->running_;
  share.work->changed_.notify_all();  // with the lock held: the work is its caller's, and gone once that one runs
  share.work = nullptr;
}

}  // namespace vsr::core
