// Independent pieces of work on oneTBB's threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/checkpoint.h"
#include "base/process.h"

namespace vsr::base {

// oneTBB's threads are made by its first call and not copied by fork(): false in a child of a process that has used it.
inline bool has_parallel_threads() {
#ifdef __SANITIZE_THREAD__
  // TBB's library is not instrumented, so ThreadSanitizer would take every hand-over of work for a race. The calls of
  // several threads, which is what it is to watch, stay parallel.
  return false;
#else
  constexpr uint64_t kNone = UINT64_MAX;
  static std::atomic<uint64_t> first_used{kNone};
  uint64_t in = kNone;
  const uint64_t here = fork_generation();
  return first_used.compare_exchange_strong(in, here) || in == here;
#endif
}

// How many threads parallel_for uses, at most.
inline size_t parallel_limit() {
  return has_parallel_threads() ? static_cast<size_t>(tbb::this_task_arena::max_concurrency()) : 1;
}

// Calls body(i) for every i below `count`, on this thread and others, and returns when all are done. What a body throws
// is thrown here. Until then this thread takes up no other work, which might want a lock that the caller holds. The
// threads work under the caller's limits (checkpoint.h).
template <class Body>
void parallel_for(size_t count, const Body& body) {
  if (!has_parallel_threads()) {
    for (size_t i = 0; i < count; ++i) body(i);
    return;
  }
  const CallLimits* const limits = thread_limits();
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(size_t{0}, count, [&](size_t i) {
      const LimitScope scope(limits);
      body(i);
    });
  });
}

}  // namespace vsr::base
