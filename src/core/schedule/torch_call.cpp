#include "core/schedule/torch_call.h"

#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>

#include <new>
#include <string>

#include "base/error.h"

// LibTorch brings its own OpenMP runtime; a weak reference binds to it without linking a second one.
extern "C" {
void omp_set_num_threads(int) __attribute__((weak));
int omp_get_max_threads() __attribute__((weak));
}

namespace vsr::core {
namespace {

thread_local bool computes = false;

void set_openmp_threads(int threads) {
  at::get_num_threads();  // LibTorch sets a thread's count at first use; what is set below must come after that
  if (omp_set_num_threads != nullptr) omp_set_num_threads(threads);
}

}  // namespace

void set_threads_of_this_thread(int threads) {
  computes = true;
  set_openmp_threads(threads);
}

bool computes_on_this_thread() { return computes; }

OneThread::OneThread() : before_(omp_get_max_threads == nullptr ? 1 : (at::get_num_threads(), omp_get_max_threads())) {
  set_openmp_threads(1);
}

OneThread::~OneThread() { set_openmp_threads(before_); }

void call_torch(const std::function<void()>& body) {
  const c10::InferenceMode inference;
  try {
    body();
  } catch (const c10::OutOfMemoryError& error) {
    base::fail(base::Status::kOutOfMemory, error.what_without_backtrace());
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    // The CPU allocator reports exhaustion as a plain c10::Error.
    const bool out_of_memory = message.find("can't allocate memory") != std::string::npos;
    base::fail(out_of_memory ? base::Status::kOutOfMemory : base::Status::kInternal,
               message.substr(0, message.find('\n')));
  } catch (const std::bad_alloc&) {
    base::fail(base::Status::kOutOfMemory, "out of memory");
  }
}

}  // namespace vsr::core
