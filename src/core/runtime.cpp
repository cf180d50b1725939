#include "core/runtime.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/error.h"

// LibTorch brings its own OpenMP runtime; a weak reference binds to it without linking a second one. Unlike
// at::set_num_threads() it changes the calling thread only, not the host's own use of LibTorch.
extern "C" void omp_set_num_threads(int) __attribute__((weak));

namespace vsr::core {
namespace {

constexpr int kMaxThreads = 1024;

void set_threads_of_this_thread(int threads) {
  if (omp_set_num_threads != nullptr) omp_set_num_threads(threads);
}

[[noreturn]] void rethrow_as_base_error() {
  try {
    throw;
  } catch (const c10::OutOfMemoryError& error) {
    base::fail(base::Status::kOutOfMemory, error.what_without_backtrace());
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    // The CPU allocator reports exhaustion as a plain c10::Error.
    const bool out_of_memory = message.find("can't allocate memory") != std::string::npos;
    base::fail(out_of_memory ? base::Status::kOutOfMemory : base::Status::kInternal,
               message.substr(0, message.find('\n')));
  }
}

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

ComputePool::ComputePool(int threads) : threads_(threads), process_(::getpid()) {
  for (size_t i = 0; i < static_cast<size_t>(threads); ++i) {
    workers_.push_back(std::make_unique<Worker>());
    idle_.insert(i);
  }
  for (size_t i = 0; i < workers_.size(); ++i) workers_[i]->thread = std::thread([this, i] { serve(i); });
}

void ComputePool::run(const std::function<void()>& work) {
  if (::getpid() != process_) {
    base::fail(base::Status::kState, "this process was forked from one that computes, and has none of its threads ",
               "(hint: load models after the fork)");
  }
  Job job;
  job.work = &work;
  std::unique_lock lock(mutex_);
  if (idle_.empty()) {
    waiting_.push_back(&job);
  } else {
    Worker& worker = *workers_[*idle_.begin()];
    idle_.erase(idle_.begin());
    worker.job = &job;
    worker.given.notify_one();
  }
  job.finished.wait(lock, [&job] { return job.done; });
  lock.unlock();
  if (job.error) std::rethrow_exception(job.error);
}

void ComputePool::serve(size_t index) {
  at::get_num_threads();  // LibTorch sets a thread's count at first use; what is set below must come after that
  Worker& self = *workers_[index];
  std::unique_lock lock(mutex_);
  for (;;) {
    self.given.wait(lock, [&self] { return self.job != nullptr; });
    Job& job = *self.job;
    const int sharing = callers();
    lock.unlock();
    compute(job, sharing);
    lock.lock();
    job.done = true;
    job.finished.notify_one();  // with the lock held: `job` is the waiter's, and gone once it runs
    self.job = nullptr;
    if (waiting_.empty()) {
      idle_.insert(index);
    } else {
      self.job = waiting_.front();
      waiting_.pop_front();
    }
  }
}

void ComputePool::compute(Job& job, int sharing) {
  set_threads_of_this_thread(std::max(1, threads_ / sharing));
  try {
    const c10::InferenceMode inference;
    try {
      (*job.work)();
    } catch (const c10::Error&) {
      rethrow_as_base_error();
    }
  } catch (...) {
    job.error = std::current_exception();
  }
}

}  // namespace vsr::core
