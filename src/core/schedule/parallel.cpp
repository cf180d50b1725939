#include "core/schedule/parallel.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

#include "base/parallel.h"
#include "core/schedule/torch_call.h"

// Entry points of OpenMP, of which LibTorch brings its own runtime; weak references bind to it without linking a second
// one, as in core/schedule/torch_call.cpp. The first is what compilers call for a parallel region.
extern "C" {
void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned flags) __attribute__((weak));
int omp_get_thread_num() __attribute__((weak));
}

namespace vsr::core {
namespace {

// LibTorch's OpenMP runtime is not instrumented: ThreadSanitizer would take its hand-over of work for races.
#ifdef __SANITIZE_THREAD__
constexpr bool kSerial = true;
#else
constexpr bool kSerial = false;
#endif

class Pieces {
 public:
  Pieces(int64_t count, int64_t grain, int64_t threads, const std::function<void(int64_t, int64_t)>& body)
      : grain_(grain), body_(body), ranges_(static_cast<size_t>(threads)) {
    const int64_t pieces = (count + grain - 1) / grain;
    for (int64_t i = 0; i < threads; ++i) {
      Range& range = ranges_[static_cast<size_t>(i)];
      range.next = pieces * i / threads * grain;
      range.end = std::min(pieces * (i + 1) / threads * grain, count);
    }
  }

  size_t threads() const { return ranges_.size(); }

  // Does the pieces of one thread, and then what others have left of theirs.
  void work(size_t thread) {
    try {
      for (size_t i = 0; i < ranges_.size(); ++i) finish(ranges_[(thread + i) % ranges_.size()]);
    } catch (...) {
      for (Range& range : ranges_) range.next.store(range.end, std::memory_order_relaxed);
      if (!failed_.test_and_set()) error_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct alignas(64) Range {  // a line of the cache each
    std::atomic<int64_t> next{0};
    int64_t end = 0;
  };

  void finish(Range& range) const {
    for (;;) {
      const int64_t begin = range.next.fetch_add(grain_, std::memory_order_relaxed);
      if (begin >= range.end) return;
      body_(begin, std::min(begin + grain_, range.end));
    }
  }

  const int64_t grain_;
  const std::function<void(int64_t, int64_t)>& body_;
  std::vector<Range> ranges_;
  std::atomic_flag failed_ = ATOMIC_FLAG_INIT;
  std::exception_ptr error_;
};

void work_on_openmp(void* pieces) {
  auto& all = *static_cast<Pieces*>(pieces);
  all.work(static_cast<size_t>(omp_get_thread_num()) % all.threads());
}

}  // namespace

int64_t threads_for_pieces() {
  if (!computes_on_this_thread()) return static_cast<int64_t>(base::parallel_limit());
  return kSerial || GOMP_parallel == nullptr || at::in_parallel_region() ? 1 : at::get_num_threads();
}

void parallel_pieces(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body) {
  if (count <= 0) return;
  const int64_t threads = std::min(threads_for_pieces(), (count + grain - 1) / grain);
  Pieces pieces(count, grain, threads, body);
  if (threads == 1) {
    pieces.work(0);
  } else if (!computes_on_this_thread()) {
    base::parallel_for(pieces.threads(), [&](size_t thread) { pieces.work(thread); });
  } else {
    // The count is that of all regions, not ours: GOMP makes its threads anew whenever it changes.
    GOMP_parallel(work_on_openmp, &pieces, 0, 0);
  }
  pieces.rethrow();
}

void parallel_rows(int64_t rows, int64_t elements_per_row, const std::function<void(int64_t, int64_t)>& body) {
  constexpr int64_t kMost = 32768;  // elements of a piece
  constexpr int64_t kLeast = 4096;
  const int64_t even = (rows + threads_for_pieces() - 1) / threads_for_pieces();
  const int64_t least = std::max<int64_t>(1, kLeast / elements_per_row);
  const int64_t most = std::max<int64_t>(1, kMost / elements_per_row);
  parallel_pieces(rows, std::clamp(even, least, most), body);
}

}  // namespace vsr::core
