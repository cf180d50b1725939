// LibTorch as vsr's threads use it: how many threads OpenMP takes, and its exceptions as base::Error.
#pragma once

#include <functional>

namespace vsr::core {

// How many threads OpenMP, and with it LibTorch and oneDNN, take for work of the calling thread. Unlike
// at::set_num_threads() it changes this thread only, not the host's own use of LibTorch.
void set_threads_of_this_thread(int threads);

// Calls `body` in inference mode. LibTorch's exceptions are thrown as base::Error, with kOutOfMemory where memory was
// short.
void call_torch(const std::function<void()>& body);

}  // namespace vsr::core
