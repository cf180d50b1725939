// Work of a forward pass on the threads that LibTorch's operators use: a second pool beside them would find the cores
// busy, since threads that have just finished wait for more work by spinning.
#pragma once

#include <cstdint>
#include <functional>

namespace vsr::core {

// Calls body(begin, end) for pieces of 0 .. count - 1 of at most `grain`, on this thread and others, and returns when
// all are done. Pieces go to whoever is free. What a body throws is thrown here. at::get_num_threads() is the limit.
void parallel_pieces(int64_t count, int64_t grain, const std::function<void(int64_t, int64_t)>& body);

// The same for rows of so many elements, a piece of which is worth a thread's while.
void parallel_rows(int64_t rows, int64_t elements_per_row, const std::function<void(int64_t, int64_t)>& body);

}  // namespace vsr::core
