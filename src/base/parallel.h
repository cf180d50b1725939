// Independent pieces of work on oneTBB's threads.
#pragma once

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>

#include "base/checkpoint.h"

namespace vsr::base {

// How many threads parallel_for uses, at most.
inline size_t parallel_limit() {
#ifdef __SANITIZE_THREAD__
  return 1;
#else
  return static_cast<size_t>(tbb::this_task_arena::max_concurrency());
#endif
}

// Calls body(i) for every i below `count`, on this thread and others, and returns when all are done. What a body throws
// is thrown here. Until then this thread takes up no other work, which might want a lock that the caller holds. The
// threads work under the caller's limits (checkpoint.h).
template <class Body>
void parallel_for(size_t count, const Body& body) {
#ifdef __SANITIZE_THREAD__
  // TBB's library is not instrumented, so ThreadSanitizer would take every hand-over of work for a race. The calls of
  // several threads, which is what it is to watch, stay parallel.
  for (size_t i = 0; i < count; ++i) body(i);
#else
  const CallLimits* const limits = thread_limits();
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(size_t{0}, count, [&](size_t i) {
      const LimitScope scope(limits);
      body(i);
    });
  });
#endif
}

}  // namespace vsr::base
