// What happens to a process as a whole: it forks, and it ends, in the midst of calls.
//
// fork() copies the calling thread alone. What other threads were doing is cut off in the child, and a mutex that one
// of them held stays locked. So a fork waits, for a moment, until no other thread is in a call of the library and no
// thread of the library is at work. Then a child has everything but those threads, and owners of such (ProcessHooks)
// make them anew when they are needed. Where calls take longer than the moment, the child's copy of the library is
// torn, and every call in it says so.
//
// exit() destroys static objects, LibTorch's and others', while threads run on. So before that calls in flight are
// ended with an error, for which exit() waits a moment, and later ones are refused.
#pragma once

#include <cstdint>
#include <functional>

namespace vsr::base {

// While it lives the thread is in a call of the library. Nested ones count as one.
class InCall {
 public:
  // Throws kState in a torn child and once the process ends.
  InCall();
  ~InCall();
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;
};

// While it lives a thread of the library is at work.
class ThreadTurn {
 public:
  ThreadTurn();
  ~ThreadTurn();
  ThreadTurn(const ThreadTurn&) = delete;
  ThreadTurn& operator=(const ThreadTurn&) = delete;
  // False: the process ends, and nothing is to be begun.
  bool granted() const { return granted_; }

 private:
  bool granted_;
};

// While it lives, inside a turn, the thread waits for what may take long, holds no lock, and touches nothing that is
// shared. Does nothing outside of turns. A fork does not wait for its end; exit() does, as the turn goes on then, so
// an owner's before_exit ends the wait.
class TurnPause {
 public:
  TurnPause();
  ~TurnPause();
  TurnPause(const TurnPause&) = delete;
  TurnPause& operator=(const TurnPause&) = delete;

 private:
  bool paused_;
};

// How many forks lie between this process and the one that loaded the library.
uint64_t fork_generation();

// Throws kState once the process ends.
void check_not_ending();
bool is_ending();

// Has exit() do what is said above. To be called again after the first calls of each kind: what exit() does for objects
// that those made comes before what was asked for earlier.
void watch_exit();

// What an owner of threads or sockets does, from construction to destruction; empty ones are left out. It is to be the
// owner's last member. Hooks are called on the thread that forks or ends the process, and must not throw.
class ProcessHooks {
 public:
  struct Hooks {
    std::function<void()> before_fork;  // takes the locks that threads of the library may hold between turns
    std::function<void()> after_fork_in_parent;
    std::function<void()> after_fork_in_child;
    std::function<void()> before_exit;  // wakes calls that wait, which then look at is_ending()
  };
  explicit ProcessHooks(Hooks hooks);
  ~ProcessHooks();
  ProcessHooks(const ProcessHooks&) = delete;
  ProcessHooks& operator=(const ProcessHooks&) = delete;

 private:
  friend struct ProcessState;
  Hooks hooks_;
};

}  // namespace vsr::base
