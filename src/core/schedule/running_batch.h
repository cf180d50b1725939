// What a batch knows of itself while it runs: parts of works that were packed together.
#pragma once

#include <cstddef>
#include <span>

namespace vsr::core {

class Work;

struct ItemRange {
  size_t first;
  size_t count;
};

// One work's part of a batch.
struct Share {
  Work* work;  // null once the call behind it has given up: its memory may be gone
  ItemRange items;
};

class RunningBatch {
 public:
  virtual ~RunningBatch() = default;
  // Those not let go of stay valid until the run returns.
  virtual std::span<const Share> shares() const = 0;
  // Between two parts of a long run: lets go of shares whose calls gave up, and lets a few short texts of other calls
  // run in between, on this very thread: what the run keeps must not live in buffers of the thread. Throws kCancelled
  // when no share is left.
  virtual void checkpoint() = 0;
};

}  // namespace vsr::core
