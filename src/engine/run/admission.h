// How many calls an engine takes on at a time, and what became of those that it got. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/error.h"
#include "engine/config/engine_options.h"

namespace vsr::engine {

// Calls that wait or run, and the tokens that they have asked for and not yet got.
struct QueueState {
  size_t calls = 0;
  size_t tokens = 0;
  QueueLimits limits;
  // Since the engine was opened.
  uint64_t accepted = 0;
  uint64_t rejected = 0;  // the queue was full
  uint64_t cancelled = 0;
  uint64_t late = 0;  // the deadline passed
};

class Admission {
 public:
  // 0 in a limit is the default.
  explicit Admission(const QueueLimits& limits);
  QueueState state() const;

  // A call that was let in, until it is destroyed.
  class Ticket {
   public:
    // Throws kLimit where the queue is full. A call that would be the only one is always let in.
    explicit Ticket(Admission& admission);
    ~Ticket();
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

    // The tokens that the call asks for now, in place of those before.
    void hold(size_t tokens);
    // Why the call ends without a result.
    void end_with(base::Status status);

   private:
    Admission& admission_;
    size_t tokens_ = 0;
  };

 private:
  mutable std::mutex mutex_;
  QueueState state_;
};

}  // namespace vsr::engine
