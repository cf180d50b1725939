#include "base/process.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/snapshot.h"

namespace vsr::base {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than routing a request takes; a fork that waits holds up all calls.
constexpr auto kForkWaits = std::chrono::milliseconds(300);
constexpr auto kExitWaits = std::chrono::seconds(3);
constexpr auto kLook = std::chrono::microseconds(100);

// What is granted while it lasts.
enum Phase : int {
  kOpen,           // calls and turns
  kForkEndsCalls,  // turns, as calls in flight may need them
  kForkEndsTurns,  // neither
  kEnding,         // neither, ever again
};

thread_local int calls_of_this_thread = 0;
thread_local bool has_turn = false;

}  // namespace

struct ProcessState {
  struct alignas(64) Shard {
    std::atomic<int> calls{0};
  };

  // Never destroyed, like all that is needed while the process ends.
  static ProcessState& get() {
    static ProcessState& state = *new ProcessState;
    return state;
  }

  ProcessState() {
    ::pthread_atfork([] { get().before_fork(); }, [] { get().after_fork_in_parent(); },
                     [] { get().after_fork_in_child(); });
  }

  std::atomic<int>& calls_here() { return shards[snapshot_detail::this_threads_shard()].calls; }

  // All calls but the one that this thread is in.
  bool no_other_calls() {
    const int own = calls_of_this_thread > 0 ? 1 : 0;
    const std::atomic<int>& here = calls_here();
    return std::all_of(shards.begin(), shards.end(),
                       [&](const Shard& shard) { return shard.calls.load() == (&shard.calls == &here ? own : 0); });
  }
  bool no_other_turns() const { return turns.load() == (has_turn ? 1 : 0); }

  template <class Condition>
  static bool wait_until(Clock::time_point end, Condition&& holds) {
    while (!holds()) {
      if (Clock::now() >= end) return false;
      std::this_thread::sleep_for(kLook);
    }
    return true;
  }

  void for_all(std::function<void()> ProcessHooks::Hooks::*hook) {
    for (const ProcessHooks* one : owners) {
      if (one->hooks_.*hook) (one->hooks_.*hook)();
    }
  }

  void before_fork() {
    changing.lock();
    is_quiet = false;
    if (phase.load() != kEnding) {
      const auto end = Clock::now() + kForkWaits;
      phase = kForkEndsCalls;
      is_quiet = wait_until(end, [this] { return no_other_calls(); });
      phase = kForkEndsTurns;
      const bool no_turns = wait_until(end + kForkWaits, [this] { return no_other_turns(); });
      is_quiet = is_quiet && no_turns;
    }
    owners_lock.lock();
    for_all(&ProcessHooks::Hooks::before_fork);
  }

  void after_fork_in_parent() {
    for_all(&ProcessHooks::Hooks::after_fork_in_parent);
    reopen();
  }

  void after_fork_in_child() {
    ++generation;
    torn = torn || !is_quiet;
    for (Shard& shard : shards) shard.calls = 0;
    calls_here() = calls_of_this_thread > 0 ? 1 : 0;
    turns = has_turn ? 1 : 0;
    pauses = 0;
    for_all(&ProcessHooks::Hooks::after_fork_in_child);
    reopen();
  }

  void reopen() {
    owners_lock.unlock();
    if (phase.load() != kEnding) phase = kOpen;
    changing.unlock();
  }

  void before_exit() {
    {
      const std::lock_guard lock(changing);
      if (phase.exchange(kEnding) == kEnding) return;
    }
    if (torn) return;
    {
      const std::lock_guard lock(owners_lock);
      for_all(&ProcessHooks::Hooks::before_exit);
    }
    wait_until(Clock::now() + kExitWaits,
               [this] { return no_other_calls() && no_other_turns() && pauses.load() == 0; });
  }

  std::array<Shard, snapshot_detail::kShards> shards;
  std::atomic<int> turns{0};
  std::atomic<int> pauses{0};  // of turns: whoever waits there goes on, if the process ends, with what objects hold
  std::atomic<int> phase{kOpen};
  std::atomic<uint64_t> generation{0};
  std::atomic<bool> torn{false};
  std::mutex changing;  // held through a fork
  bool is_quiet = false;
  std::mutex owners_lock;
  std::vector<const ProcessHooks*> owners;
};

namespace {

ProcessState& state() { return ProcessState::get(); }

}  // namespace

InCall::InCall() {
  if (calls_of_this_thread > 0) {
    ++calls_of_this_thread;
    return;
  }
  ProcessState& process = state();
  for (;;) {
    if (process.torn.load()) {
      fail(Status::kState, "this process was forked while other threads were in calls of vsr, and cannot use it ",
           "(hint: fork before requests are served, or start processes anew)");
    }
    check_not_ending();
    process.calls_here().fetch_add(1);
    if (process.phase.load() == kOpen) break;
    process.calls_here().fetch_sub(1);
    std::this_thread::sleep_for(kLook);
  }
  calls_of_this_thread = 1;
}

InCall::~InCall() {
  if (--calls_of_this_thread == 0) state().calls_here().fetch_sub(1);
}

ThreadTurn::ThreadTurn() : granted_(false) {
  ProcessState& process = state();
  for (;;) {
    process.turns.fetch_add(1);
    const int phase = process.phase.load();
    if (phase == kOpen || phase == kForkEndsCalls) break;
    process.turns.fetch_sub(1);
    if (phase == kEnding) return;
    std::this_thread::sleep_for(kLook);
  }
  granted_ = has_turn = true;
}

ThreadTurn::~ThreadTurn() {
  if (!granted_) return;
  has_turn = false;
  state().turns.fetch_sub(1);
}

TurnPause::TurnPause() : paused_(has_turn) {
  if (!paused_) return;
  has_turn = false;
  state().pauses.fetch_add(1);
  state().turns.fetch_sub(1);
}

TurnPause::~TurnPause() {
  if (!paused_) return;
  ProcessState& process = state();
  for (;;) {
    process.turns.fetch_add(1);
    const int phase = process.phase.load();
    if (phase != kForkEndsTurns) break;
    process.turns.fetch_sub(1);
    std::this_thread::sleep_for(kLook);
  }
  process.pauses.fetch_sub(1);
  has_turn = true;
}

uint64_t fork_generation() { return state().generation.load(std::memory_order_relaxed); }

bool is_ending() { return state().phase.load(std::memory_order_relaxed) == kEnding; }

void check_not_ending() {
  if (is_ending()) fail(Status::kState, "the process is ending");
}

void watch_exit() {
  std::atexit([] { state().before_exit(); });
}

ProcessHooks::ProcessHooks(Hooks hooks) : hooks_(std::move(hooks)) {
  ProcessState& process = state();
  const std::lock_guard lock(process.owners_lock);
  process.owners.push_back(this);
}

ProcessHooks::~ProcessHooks() {
  ProcessState& process = state();
  const std::lock_guard lock(process.owners_lock);
  std::erase(process.owners, this);
}

}  // namespace vsr::base
