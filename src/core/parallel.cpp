#include "core/parallel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>

// The entry point that compilers call for a parallel region of OpenMP. LibTorch brings its own runtime; a weak
// reference binds to it without linking a second one, as in core/runtime.cpp.
extern "C" void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags)
    __attribute__((weak));

namespace vsr::core {
namespace {

constexpr int64_t kElementsPerPiece = 32768;

class Pieces {
 public:
  Pieces(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body)
      : count_(count), grain_(grain), body_(body) {}

  // Takes pieces until there are none; runs on every thread of the region.
  void work() {
    try {
      for (;;) {
        const int64_t begin = next_.fetch_add(grain_, std::memory_order_relaxed);
        if (begin >= count_) return;
        body_(begin, std::min(begin + grain_, count_));
      }
    } catch (...) {
      next_.store(count_, std::memory_order_relaxed);
      if (!failed_.test_and_set()) error_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  const int64_t count_, grain_;
  const std::function<void(int64_t, int64_t)>& body_;
  std::atomic<int64_t> next_{0};
  std::atomic_flag failed_ = ATOMIC_FLAG_INIT;
  std::exception_ptr error_;
};

}  // namespace

// LibTorch's OpenMP runtime is not instrumented: ThreadSanitizer would take its hand-over of work for races.
#ifdef __SANITIZE_THREAD__
constexpr bool kSerial = true;
#else
constexpr bool kSerial = false;
#endif

void parallel_pieces(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
  if (count <= 0) return;
  const int64_t threads = std::min<int64_t>(at::get_num_threads(), (count + grain - 1) / grain);
  Pieces pieces(count, grain, body);
  if (kSerial || threads <= 1 || GOMP_parallel == nullptr || at::in_parallel_region()) {
    pieces.work();
  } else {
    // The count is that of all regions, not ours: GOMP makes its threads anew whenever it changes.
    GOMP_parallel([](void* data) { static_cast<Pieces*>(data)->work(); }, &pieces, 0, 0);
  }
  pieces.rethrow();
}

void parallel_rows(int64_t rows, int64_t elements_per_row, const std::function<void(int64_t, int64_t)>& body) {
  parallel_pieces(rows, std::max<int64_t>(1, kElementsPerPiece / elements_per_row), body);
}

}  // namespace vsr::core
