#include "core/schedule/compute_pool.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"
#include "core/memory/buffers.h"
#include "core/schedule/torch_call.h"

namespace vsr::core {
namespace {

constexpr int kMaxThreads = 1024;
// A batch that leaves cores to others is at least so large: below, reading the weights costs as much as using them.
constexpr size_t kTokensWorthACore = 128;
// Work for one core between two barriers of OpenMP's has to be worth more than they cost.
constexpr double kOperationsWorthACore = 2e8;

// Any piece of work, which no other shares a batch with.
class Job final : public Work {
 public:
  explicit Job(const std::function<void()>& body) : Work({WorkItem{}}), body_(body) {}
  bool packs_with(const Work&) const override { return false; }
  double operations_per_token() const override { return std::numeric_limits<double>::infinity(); }
  Runner runner() const override {
    return [](RunningBatch& batch) { static_cast<Job*>(batch.shares().front().work)->body_(); };
  }

 private:
  const std::function<void()>& body_;
};

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

// A batch on one of the pool's threads.
class ComputePool::Batch final : public RunningBatch {
 public:
  // `inner`: runs in a pause of another.
  Batch(WorkQueue& queue, std::vector<Share> shares, bool inner);

  std::span<const Share> shares() const override { return shares_; }
  void checkpoint() override;

  // Tells the works that their shares are done, or, in place of run(), why they are not.
  void end(const std::exception_ptr& error) { queue_.finish(shares_, error); }
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

  WorkQueue& queue_;
  std::vector<Share> shares_;
  const bool inner_;
  size_t tokens_ = 0;
  double operations_ = 0;
};

ComputePool::Batch::Batch(WorkQueue& queue, std::vector<Share> shares, bool inner)
    : queue_(queue), shares_(std::move(shares)), inner_(inner) {
  for (const Share& share : shares_) {
    const size_t tokens = share.work->tokens_of(share.items);
    tokens_ += tokens;
    operations_ += share.work->operations_per_token() * static_cast<double>(tokens);
  }
}

void ComputePool::Batch::checkpoint() {
  queue_.let_go_of_ended(shares_);
  const auto gone = [](const Share& share) { return share.work == nullptr; };
  if (std::all_of(shares_.begin(), shares_.end(), gone)) {
    base::fail(base::Status::kCancelled, "every call of the batch has given up");
  }
  if (!inner_) run_in_between();
}

void ComputePool::Batch::run_in_between() {
  if (tokens_ <= kTokensPerTurn) return;
  std::unique_lock lock(queue_.mutex());
  std::vector<Share> shares =
      queue_.take({.target = kTokensPerTurn, .most = kTokensPerTurn, .longest_item = kTokensPerTurn});
  lock.unlock();
  if (shares.empty()) return;
  Batch inner(queue_, std::move(shares), /*inner=*/true);
  inner.cores = cores;
  inner.run();
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
      end(error);
      return;
    }
    shares_ = queue_.halves_of(shares_.front());
  }
  error = nullptr;  // frees what the exception holds
  for (const Share& share : shares_) run_alone(share);
}

void ComputePool::Batch::run_alone(const Share& share) {
  Batch alone(queue_, {share}, inner_);
  alone.cores = cores;
  alone.run();
}

// A thread without a batch waits in its own place, so that batches go to the first of those that are idle: a worker
// keeps the OpenMP threads of its largest batch, and with the same few doing the large ones there are few of these.
struct ComputePool::Worker {
  std::unique_ptr<Batch> batch;
  std::condition_variable given;
};

// Works in the queue. Whatever happens, no thread touches them when this is gone.
class ComputePool::Stay {
 public:
  Stay(ComputePool& pool, std::span<Work* const> works) : pool_(pool), works_(works) {}
  ~Stay() {
    if (!is_of_this_process()) return;
    for (Work* work : works_) pool_.queue_.retire(*work);
  }
  Stay(const Stay&) = delete;
  Stay& operator=(const Stay&) = delete;

  void begin() {
    base::check_not_ending();
    for (Work* work : works_) pool_.submit(*work);
  }
  void wait_for(Work& work, const base::CallLimits& limits, const OnFinished& on_finished);

 private:
  bool is_of_this_process() const { return generation_ == base::fork_generation(); }

  ComputePool& pool_;
  const std::span<Work* const> works_;
  const uint64_t generation_ = base::fork_generation();
};

ComputePool& ComputePool::shared(int threads) {
  if (threads < 0 || threads > kMaxThreads) {
    base::fail(base::Status::kInvalidArgument, "threads is ", threads, ", expected 0 to ", kMaxThreads);
  }
  static std::mutex mutex;
  static ComputePool* pool = nullptr;
  const std::lock_guard lock(mutex);
  if (pool == nullptr) {
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    pool = new ComputePool(threads == 0 ? cores : threads);
  } else if (threads != 0 && threads != pool->threads_) {
    base::fail(base::Status::kState, "threads is ", threads, ", but this process computes with ", pool->threads_,
               " since its first engine");
  }
  return *pool;
}

ComputePool::ComputePool(int threads)
    : threads_(threads),
      free_cores_(threads),
      hooks_({.before_fork = [this] { queue_.mutex().lock(); },
              .after_fork_in_parent = [this] { queue_.mutex().unlock(); },
              .after_fork_in_child = [this] { forget_threads(); },
              .before_exit = [this] { queue_.wake_all(); }}) {}

// With the lock held, as in forget_threads() and dispatch().
void ComputePool::start_threads() {
  for (size_t i = 0; i < static_cast<size_t>(threads_); ++i) {
    workers_.push_back(std::make_unique<Worker>());
    idle_.insert(i);
  }
  for (size_t i = 0; i < workers_.size(); ++i) std::thread([this, i] { serve(i); }).detach();
}

// They are not there, and what they waited on still counts them as waiting: it cannot be used or destroyed any more.
void ComputePool::forget_threads() {
  for (std::unique_ptr<Worker>& worker : workers_) static_cast<void>(worker.release());
  workers_.clear();
  idle_.clear();
  queue_.forget();
  free_cores_ = threads_;
  queue_.mutex().unlock();
}

void ComputePool::run(const std::function<void()>& job) {
  Job work(job);
  Work* const works[] = {&work};
  run(works, {}, {});
  if (work.error()) std::rethrow_exception(work.error());
}

PoolState ComputePool::state() const {
  const std::lock_guard lock(queue_.mutex());
  PoolState state = queue_.state();
  state.threads = threads_;
  state.busy_threads = threads_ - free_cores_;
  return state;
}

void ComputePool::submit(Work& work) {
  const std::lock_guard lock(queue_.mutex());
  if (workers_.empty()) start_threads();
  queue_.add(work);
  dispatch();
}

void ComputePool::dispatch() {
  while (free_cores_ > 0 && queue_.waits()) {
    const size_t waiting = queue_.waiting_tokens();
    const auto free_cores = static_cast<size_t>(free_cores_);
    const size_t even = (waiting + free_cores - 1) / free_cores;
    auto batch = std::make_unique<Batch>(
        queue_, queue_.take({.target = std::clamp(even, kTokensWorthACore, kTokensPerBatch)}), /*inner=*/false);
    batch->cores = cores_for(*batch, waiting);
    free_cores_ -= batch->cores;
    // As each batch has a core at least, a thread without one is left.
    Worker& worker = *workers_[*idle_.begin()];
    idle_.erase(idle_.begin());
    worker.batch = std::move(batch);
    worker.given.notify_one();
  }
}

// `waiting_tokens`: the batch's own, and of all that could start now.
int ComputePool::cores_for(const Batch& batch, size_t waiting_tokens) {
  const double worth = std::min<double>(1 + batch.operations() / kOperationsWorthACore, threads_);
  const size_t calls = load_.most(queue_.unfinished(), LoadMeter::Clock::now());
  const double one_callers = static_cast<double>(threads_) / static_cast<double>(calls);
  const double by_size =
      std::round(free_cores_ * static_cast<double>(batch.tokens()) / static_cast<double>(waiting_tokens));
  return std::clamp(static_cast<int>(std::min({worth, one_callers, by_size})), 1, free_cores_);
}

void ComputePool::serve(size_t index) {
  Worker& self = *workers_[index];
  std::unique_lock lock(queue_.mutex());
  for (;;) {
    self.given.wait(lock, [&self] { return self.batch != nullptr; });
    lock.unlock();
    {
      const base::ThreadTurn turn;
      set_threads_of_this_thread(self.batch->cores);
      if (turn.granted()) {
        self.batch->run();
      } else {
        self.batch->end(std::make_exception_ptr(base::Error(base::Status::kState, "the process is ending")));
      }
    }
    lock.lock();
    free_cores_ += self.batch->cores;
    self.batch.reset();
    idle_.insert(index);
    dispatch();
  }
}

void ComputePool::Stay::wait_for(Work& work, const base::CallLimits& limits, const OnFinished& on_finished) {
  const auto ended = [&work] { return work.error_ || (work.all_taken() && work.running_ == 0); };
  const auto changed = [&] { return ended() || !work.finished_.empty() || base::is_ending(); };
  std::unique_lock lock(pool_.queue_.mutex());
  for (;;) {
    if (limits.deadline) {
      work.changed_.wait_until(lock, limits.cancel, *limits.deadline, changed);
    } else {
      work.changed_.wait(lock, limits.cancel, changed);
    }
    const bool is_last = ended();
    const bool has_failed = work.error_ != nullptr;
    const std::vector<ItemRange> finished = std::exchange(work.finished_, {});
    lock.unlock();
    if (has_failed) return;
    if (on_finished && !finished.empty()) on_finished(work, finished);
    if (!is_of_this_process()) {
      base::fail(base::Status::kState, "this process was forked in the midst of the call, and has none of its threads");
    }
    if (is_last) return;
    limits.check();
    lock.lock();
  }
}

void ComputePool::run(std::span<Work* const> works, const base::CallLimits& limits, const OnFinished& on_finished) {
  Stay stay(*this, works);
  stay.begin();
  for (Work* work : works) stay.wait_for(*work, limits, on_finished);
}

}  // namespace vsr::core
