#include "core/schedule/compute_pool.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "base/error.h"
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

}  // namespace

ComputePool& ComputePool::shared(int threads) {
  if (threads < 0 || threads > kMaxThreads) {
    base::fail(base::Status::kInvalidArgument, "threads is ", threads, ", expected 0 to ", kMaxThreads);
  }
  static std::mutex mutex;
  static ComputePool* pool = nullptr;  // never destroyed: its threads may outlive the host's static objects
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
      hooks_({.before_fork = [this] { works_.mutex().lock(); },
              .after_fork_in_parent = [this] { works_.mutex().unlock(); },
              .after_fork_in_child = [this] { forget_threads(); },
              .before_exit = [this] { works_.wake_all(); }}) {}

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
  works_.forget();
  free_cores_ = threads_;
  works_.mutex().unlock();
}

void ComputePool::run(const std::function<void()>& work) {
  Job job(work);
  Submission(*this, job).wait({}, {});
}

PoolState ComputePool::state() const {
  const std::lock_guard lock(works_.mutex());
  PoolState state = works_.state();
  state.threads = threads_;
  state.busy_threads = threads_ - free_cores_;
  return state;
}

void ComputePool::submit(Work& work) {
  const std::lock_guard lock(works_.mutex());
  if (workers_.empty()) start_threads();
  works_.add(work);
  dispatch();
}

void ComputePool::dispatch() {
  while (free_cores_ > 0 && works_.waits()) {
    const size_t waiting = works_.waiting_tokens();
    const auto free_cores = static_cast<size_t>(free_cores_);
    const size_t even = (waiting + free_cores - 1) / free_cores;
    auto batch = std::make_unique<PoolBatch>(
        works_, works_.start({.target = std::clamp(even, kTokensWorthACore, kTokensPerBatch)}), /*inner=*/false);
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
int ComputePool::cores_for(const PoolBatch& batch, size_t waiting_tokens) {
  const double worth = std::min<double>(1 + batch.operations() / kOperationsWorthACore, threads_);
  const size_t calls = load_.most(works_.unfinished(), LoadMeter::Clock::now());
  const double one_callers = static_cast<double>(threads_) / static_cast<double>(calls);
  const double by_size =
      std::round(free_cores_ * static_cast<double>(batch.tokens()) / static_cast<double>(waiting_tokens));
  return std::clamp(static_cast<int>(std::min({worth, one_callers, by_size})), 1, free_cores_);
}

void ComputePool::serve(size_t index) {
  Worker& self = *workers_[index];
  std::unique_lock lock(works_.mutex());
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

Submission::Submission(ComputePool& pool, Work& work) : pool_(pool), work_(work), generation_(base::fork_generation()) {
  base::check_not_ending();
  pool_.submit(work_);
}

Submission::~Submission() {
  if (is_of_this_process()) pool_.works_.retire(work_);
}

void Submission::wait(const base::CallLimits& limits,
                      const std::function<void(std::span<const ItemRange>)>& on_finished) {
  const auto ended = [this] { return work_.error_ || (work_.all_taken() && work_.running_ == 0); };
  const auto changed = [&] { return ended() || !work_.finished_.empty() || base::is_ending(); };
  std::unique_lock lock(pool_.works_.mutex());
  for (;;) {
    if (limits.deadline) {
      work_.changed_.wait_until(lock, limits.cancel, *limits.deadline, changed);
    } else {
      work_.changed_.wait(lock, limits.cancel, changed);
    }
    const bool is_last = ended();
    const std::exception_ptr error = work_.error_;
    const std::vector<ItemRange> finished = std::exchange(work_.finished_, {});
    lock.unlock();
    if (error) std::rethrow_exception(error);
    if (on_finished && !finished.empty()) on_finished(finished);
    if (!is_of_this_process()) {
      base::fail(base::Status::kState, "this process was forked in the midst of the call, and has none of its threads");
    }
    if (is_last) return;
    limits.check();
    lock.lock();
  }
}

}  // namespace vsr::core
