#include "core/schedule/pool_batch.h"

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "core/memory/buffers.h"
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

PoolBatch::PoolBatch(WorkLedger& works, std::vector<Share> shares, bool inner)
    : works_(works), shares_(std::move(shares)), inner_(inner) {
  for (const Share& share : shares_) {
    const size_t tokens = share.work->tokens_of(share.items);
    tokens_ += tokens;
    operations_ += share.work->operations_per_token() * static_cast<double>(tokens);
  }
}

void PoolBatch::checkpoint() {
  works_.let_go_of_ended(shares_);
  const auto gone = [](const Share& share) { return share.work == nullptr; };
  if (std::all_of(shares_.begin(), shares_.end(), gone)) {
    base::fail(base::Status::kCancelled, "every call of the batch has given up");
  }
  if (!inner_) run_in_between();
}

void PoolBatch::run_in_between() {
  if (tokens_ <= kTokensPerTurn) return;
  std::unique_lock lock(works_.mutex());
  std::vector<Share> shares =
      works_.start({.target = kTokensPerTurn, .most = kTokensPerTurn, .longest_item = kTokensPerTurn});
  lock.unlock();
  if (shares.empty()) return;
  PoolBatch inner(works_, std::move(shares), /*inner=*/true);
  inner.cores = cores;
  inner.run();
}

void PoolBatch::run() {
  if (const std::exception_ptr error = try_run()) return run_again(error);
  end(nullptr);
}

std::exception_ptr PoolBatch::try_run() {
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

void PoolBatch::run_again(std::exception_ptr error) {
  const bool alone = shares_.size() == 1;
  std::erase_if(shares_, [](const Share& share) { return share.work == nullptr; });
  if (alone && !shares_.empty()) {
    if (shares_.front().items.count == 1 || !is_out_of_memory(error)) {
      end(error);
      return;
    }
    shares_ = works_.halves_of(shares_.front());
  }
  error = nullptr;  // frees what the exception holds
  for (const Share& share : shares_) run_alone(share);
}

void PoolBatch::run_alone(const Share& share) {
  PoolBatch alone(works_, {share}, inner_);
  alone.cores = cores;
  alone.run();
}

}  // namespace vsr::core
