#include "core/batch/running_batch.h"

#include <algorithm>

#include "base/error.h"
#include "core/batch/buffers.h"
#include "core/schedule/torch_call.h"

namespace vsr::core {
namespace {

bool is_out_of_memory(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const base::Error& caught) {
    return caught.status() == base::Status::kOutOfMemory;
  } catch (...) {
    return false;
  }
}

}  // namespace

ComputePool::Batch::Batch(ComputePool& pool, std::vector<Share> shares, bool inner)
    : pool_(pool), shares_(std::move(shares)), inner_(inner) {
  for (const Share& share : shares_) {
    const double operations = share.work->operations_per_token();
    for (size_t i = 0; i < share.items.count; ++i) {
      const size_t tokens = share.work->items_[share.items.first + i].tokens;
      tokens_ += tokens;
      operations_ += operations * static_cast<double>(tokens);
    }
  }
}

void ComputePool::Batch::checkpoint() {
  {
    const std::lock_guard lock(pool_.mutex_);
    for (Share& share : shares_) {
      if (share.work != nullptr && (share.work->given_up_ || share.work->error_)) pool_.let_go(share);
    }
  }
  const auto gone = [](const Share& share) { return share.work == nullptr; };
  if (std::all_of(shares_.begin(), shares_.end(), gone)) {
    base::fail(base::Status::kCancelled, "every call of the batch has given up");
  }
  if (!inner_) pool_.run_in_between(*this);
}

void ComputePool::Batch::end(const std::exception_ptr& error) {
  const std::lock_guard lock(pool_.mutex_);
  for (Share& share : shares_) {
    if (share.work != nullptr) pool_.finish(share, error);
  }
}

void ComputePool::Batch::run() {
  if (const std::exception_ptr error = try_run()) return run_again(error);
  end(nullptr);
}

std::exception_ptr ComputePool::Batch::try_run() {
  const auto present = std::find_if(shares_.begin(), shares_.end(), [](const Share& share) { return share.work; });
  try {
    const Work::Runner runner = present->work->runner();
    call_torch([&] {
      const BufferScope buffers;
      runner(*this);
    });
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void ComputePool::Batch::run_again(std::exception_ptr error) {
  const bool alone = shares_.size() == 1;
  std::erase_if(shares_, [](const Share& share) { return share.work == nullptr; });
  if (alone && !shares_.empty()) {
    if (shares_.front().items.count == 1 || !is_out_of_memory(error)) {
      const std::lock_guard lock(pool_.mutex_);
      pool_.finish(shares_.front(), error);
      return;
    }
    shares_ = halves_of(shares_.front());
  }
  error = nullptr;  // frees what the exception holds
  for (const Share& share : shares_) run_alone(share);
}

void ComputePool::Batch::run_alone(const Share& share) {
  Batch alone(pool_, {share}, inner_);
  alone.cores = cores;
  alone.run();
}

std::vector<Share> ComputePool::Batch::halves_of(const Share& share) {
  const std::lock_guard lock(pool_.mutex_);
  ++share.work->running_;
  const size_t half = share.items.count / 2;
  return {{share.work, {share.items.first, half}}, {share.work, {share.items.first + half, share.items.count - half}}};
}

}  // namespace vsr::core
