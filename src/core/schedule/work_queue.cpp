#include "core/schedule/work_queue.h"

#include <algorithm>
#include <utility>

namespace vsr::core {

Work::Work(std::vector<WorkItem> items) : items_(std::move(items)) {
  for (const WorkItem& item : items_) waiting_tokens_ += item.tokens;
}

// A batch that grows in rounds of turns.
class WorkQueue::Packer {
 public:
  explicit Packer(const BatchLimits& limits) : limits_(limits) {}

  void add_member(Work& work) {
    shares_.push_back({&work, {work.next_, 0}});
    if (work.items_[work.next_].tokens <= limits_.most) offered_ += std::min(work.waiting_tokens_, kTokensPerTurn);
  }
  // Whether the members can fill the batch in the first round.
  bool has_enough() const { return offered_ >= limits_.most; }

  std::vector<Share> fill() {
    for (bool grew = true; grew && tokens_ < limits_.target;) {
      grew = false;
      for (Share& share : shares_) grew = take_turn(share) || grew;
    }
    std::erase_if(shares_, [](const Share& share) { return share.items.count == 0; });
    return std::move(shares_);
  }

  size_t tokens() const { return tokens_; }

 private:
  // Whether the work had anything that fits.
  bool take_turn(Share& share) {
    Work& work = *share.work;
    size_t taken = 0;
    while (!work.all_taken() && taken < kTokensPerTurn && tokens_ < limits_.target && fits(work.items_[work.next_])) {
      const WorkItem& item = work.items_[work.next_++];
      ++share.items.count;
      work.waiting_tokens_ -= item.tokens;
      taken += item.tokens;
      tokens_ += item.tokens;
      rows_ += item.rows;
    }
    return taken > 0;
  }

  bool fits(const WorkItem& item) const {
    if (item.tokens > limits_.longest_item) return false;
    return tokens_ == 0 || (tokens_ + item.tokens <= limits_.most && rows_ + item.rows <= kRowsPerBatch);
  }

  const BatchLimits& limits_;
  std::vector<Share> shares_;
  size_t offered_ = 0;
  size_t tokens_ = 0;
  size_t rows_ = 0;
};

void WorkQueue::add(Work& work) {
  unfinished_.insert(&work);
  waiting_.push_back(&work);
  waiting_tokens_ += work.waiting_tokens_;
}

std::vector<Share> WorkQueue::take(const BatchLimits& limits) {
  std::vector<Share> shares = pack(limits);
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

std::vector<Share> WorkQueue::pack(const BatchLimits& limits) {
  const auto within = [&](const Work* work) { return work->items_[work->next_].tokens <= limits.longest_item; };
  const auto front = std::find_if(waiting_.begin(), waiting_.end(), within);
  if (front == waiting_.end()) return {};
  Packer packer(limits);
  for (auto member = front; member != waiting_.end() && !packer.has_enough(); ++member) {
    if (member == front || (within(*member) && (*front)->packs_with(**member))) packer.add_member(**member);
  }
  std::vector<Share> shares = packer.fill();
  waiting_tokens_ -= packer.tokens();
  for (const Share& share : shares) {
    const auto place = std::find(waiting_.begin(), waiting_.end(), share.work);
    if (share.work->all_taken()) {
      waiting_.erase(place);
    } else {
      waiting_.splice(waiting_.end(), waiting_, place);
    }
  }
  return shares;
}

PoolState WorkQueue::state() const {
  PoolState state = totals_;
  state.waiting_works = waiting_.size();
  state.waiting_tokens = waiting_tokens_;
  return state;
}

void WorkQueue::forget() {
  waiting_.clear();
  waiting_tokens_ = 0;
  unfinished_.clear();
}

void WorkQueue::finish(std::span<Share> shares, const std::exception_ptr& error) {
  const std::lock_guard lock(mutex_);
  for (Share& share : shares) {
    if (share.work == nullptr) continue;
    Work& work = *share.work;
    if (!error) {
      work.finished_.push_back(share.items);
    } else if (!work.error_) {
      work.error_ = error;
      stop_waiting(work);
    }
    let_go(share);
  }
}

void WorkQueue::let_go_of_ended(std::span<Share> shares) {
  const std::lock_guard lock(mutex_);
  for (Share& share : shares) {
    if (share.work != nullptr && (share.work->given_up_ || share.work->error_)) let_go(share);
  }
}

std::vector<Share> WorkQueue::halves_of(const Share& share) {
  const std::lock_guard lock(mutex_);
  ++share.work->running_;
  const size_t half = share.items.count / 2;
  return {{share.work, {share.items.first, half}}, {share.work, {share.items.first + half, share.items.count - half}}};
}

void WorkQueue::retire(Work& work) {
  std::unique_lock lock(mutex_);
  work.given_up_ = true;
  stop_waiting(work);
  work.changed_.wait(lock, [&work] { return work.running_ == 0; });
  unfinished_.erase(&work);
}

void WorkQueue::wake_all() {
  const std::lock_guard lock(mutex_);
  for (Work* work : unfinished_) work->changed_.notify_all();
}

void WorkQueue::stop_waiting(Work& work) {
  if (work.all_taken()) return;
  const auto found = std::find(waiting_.begin(), waiting_.end(), &work);
  if (found == waiting_.end()) return;
  waiting_tokens_ -= work.waiting_tokens_;
  waiting_.erase(found);
}

void WorkQueue::let_go(Share& share) {
  --share.work->running_;
  share.work->changed_.notify_all();  // with the lock held: the work is its caller's, and gone once that one runs
  share.work = nullptr;
}

}  // namespace vsr::core
