// Work of a forward pass on the threads that LibTorch's operators use: a second pool beside them would find the cores
// busy, since threads that have just finished wait for more work by spinning. Elsewhere, for example while a model is
// loaded, on oneTBB's: OpenMP would make threads of its own for each thread that calls it, and once there are more of
// those than cores they all go to sleep between any two pieces of work.
#pragma once

#include <cstdint>
#include <functional>

namespace vsr::core {

// Calls body(begin, end) for pieces of 0 .. count - 1 of at most `grain`, on this thread and others, and returns when
// all are done. What a body throws is thrown here. Each thread begins with its own part of the range, the same in every
// call: what it wrote last is still in its cache. Who is done takes over pieces of others.
void parallel_pieces(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body);

// The same for rows of this many elements, in pieces that are worth a thread's while.
void parallel_rows(int64_t rows, int64_t elements_per_row, const std::function<void(int64_t, int64_t)>& body);

// How many threads work on pieces, at most.
int64_t threads_for_pieces();

}  // namespace vsr::core
