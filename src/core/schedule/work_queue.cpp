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

void WorkQueue::push(Work& work) {
  works_.push_back(&work);
  tokens_ += work.waiting_tokens_;
}

void WorkQueue::remove(Work& work) {
  const auto found = std::find(works_.begin(), works_.end(), &work);
  if (found == works_.end()) return;
  tokens_ -= work.waiting_tokens_;
  works_.erase(found);
}

std::vector<Share> WorkQueue::take(const BatchLimits& limits) {
  const auto within = [&](const Work* work) { return work->items_[work->next_].tokens <= limits.longest_item; };
  const auto front = std::find_if(works_.begin(), works_.end(), within);
  if (front == works_.end()) return {};
  Packer packer(limits);
  for (auto member = front; member != works_.end() && !packer.has_enough(); ++member) {
    if (member == front || (within(*member) && (*front)->packs_with(**member))) packer.add_member(**member);
  }
  std::vector<Share> shares = packer.fill();
  tokens_ -= packer.tokens();
  for (const Share& share : shares) {
    const auto place = std::find(works_.begin(), works_.end(), share.work);
    if (share.work->all_taken()) {
      works_.erase(place);
    } else {
      works_.splice(works_.end(), works_, place);
    }
  }
  return shares;
}

}  // namespace vsr::core
