// Keeps SIGPIPE from ending the host's process while a library writes to a socket that may be closed.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace vsr::routing {

// For the calling thread and this object's life. A SIGPIPE that was pending before stays so; one that came meanwhile is
// taken away. The host's own handling of the signal is untouched.
class SigpipeGuard {
 public:
  SigpipeGuard() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_pending_ = pending();
    if (!was_pending_) pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~SigpipeGuard() {
    if (was_pending_) return;
    const timespec now{0, 0};
    while (pending() && sigtimedwait(&pipe_, nullptr, &now) < 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;

 private:
  bool pending() const {
    sigset_t set;
    sigemptyset(&set);
    sigpending(&set);
    return sigismember(&set, SIGPIPE) == 1;
  }

  sigset_t pipe_, before_;
  bool was_pending_;
};

}  // namespace vsr::routing
