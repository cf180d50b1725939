// LibTorch as vsr's threads use it: how many threads OpenMP takes, and its exceptions as base::Error.
#pragma once

#include <functional>

namespace vsr::core {

// Makes the calling thread one that computes: OpenMP, and with it LibTorch and oneDNN, take `threads` threads for its
// work. Unlike at::set_num_threads() it changes this thread only, not the host's own use of LibTorch.
void set_threads_of_this_thread(int threads);
bool computes_on_this_thread();

// While it lives, LibTorch's operators run on the calling thread alone: on the host's threads, for example to load a
// model, where OpenMP would otherwise keep a pool for each of them.
class OneThread {
 public:
  OneThread();
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int before_;
};

// Calls `body` in inference mode. LibTorch's exceptions are thrown as base::Error, with kOutOfMemory where memory was
// short.
void call_torch(const std::function<void()>& body);

}  // namespace vsr::core
