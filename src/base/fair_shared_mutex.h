// A mutex for many readers or one writer, for std::shared_lock and std::unique_lock. Readers that come while a writer
// waits come after it: with std::shared_mutex of glibc, readers that overlap keep a writer out for good.
#pragma once

#include <mutex>
#include <shared_mutex>

namespace vsr::base {

class FairSharedMutex {
 public:
  void lock() {
    const std::lock_guard turn(turnstile_);
    mutex_.lock();
  }
  void unlock() { mutex_.unlock(); }
  void lock_shared() {
    const std::lock_guard turn(turnstile_);
    mutex_.lock_shared();
  }
  void unlock_shared() { mutex_.unlock_shared(); }

 private:
  std::mutex turnstile_;
  std::shared_mutex mutex_;
};

}  // namespace vsr::base
