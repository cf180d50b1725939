// How busy a pool is, and what it has done.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vsr::core {

// Of the whole process.
struct PoolState {
  int threads = 0;
  int busy_threads = 0;
  size_t waiting_works = 0;
  size_t waiting_tokens = 0;
  // Since the start.
  uint64_t batches = 0;
  uint64_t works = 0;  // shares of batches: works / batches is how many calls one batch served
  uint64_t items = 0;
  uint64_t tokens = 0;
};

}  // namespace vsr::core
