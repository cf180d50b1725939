#include "base/process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "base/error.h"

using namespace vsr::base;

namespace {

// What the body gives, in a child.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// Whether a call is possible: 0; 1: it says that the process was forked.
int call() {
  try {
    const InCall in_call;
    return 0;
  } catch (const Error& error) {
    return error.status() == Status::kState && std::string(error.what()).find("was forked while") != std::string::npos
               ? 1
               : 2;
  }
}

}  // namespace

TEST_CASE("process: a child may call, and knows that it is one", "[base][process]") {
  const InCall outer;
  const InCall nested;
  const uint64_t here = fork_generation();
  CHECK(in_child([&] { return call() == 0 && fork_generation() == here + 1 ? 0 : 1; }) == 0);
  CHECK(fork_generation() == here);
  CHECK(call() == 0);
}

TEST_CASE("process: a fork waits for calls and turns of other threads that end soon", "[base][process][threads]") {
  std::atomic<bool> end{false};
  std::atomic<int> begun{0};
  std::thread caller([&] {
    while (!end) {
      const InCall in_call;
      ++begun;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  std::thread worker([&] {
    while (!end) {
      const ThreadTurn turn;
      ++begun;
      const TurnPause pause;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  while (begun < 10) std::this_thread::yield();
  for (int i = 0; i < 10; ++i) CHECK(in_child(call) == 0);
  end = true;
  caller.join();
  worker.join();
}

TEST_CASE("process: a child forked in the midst of a call of another thread is refused, its parent is not",
          "[base][process][threads]") {
  std::atomic<int> state{0};
  std::thread caller([&] {
    const InCall in_call;
    state = 1;
    while (state != 2) std::this_thread::yield();
  });
  while (state != 1) std::this_thread::yield();
  CHECK(in_child(call) == 1);
  CHECK(call() == 0);
  state = 2;
  caller.join();
  CHECK(in_child(call) == 0);
}

TEST_CASE("process: hooks hear of a fork on either side, and no longer than they live", "[base][process]") {
  std::string heard;
  {
    const ProcessHooks hooks({.before_fork = [&] { heard += "before "; },
                              .after_fork_in_parent = [&] { heard += "parent "; },
                              .after_fork_in_child = [&] { heard += "child "; },
                              .before_exit = {}});
    CHECK(in_child([&] { return heard == "before child " ? 0 : 1; }) == 0);
  }
  CHECK(in_child([] { return 0; }) == 0);
  CHECK(heard == "before parent ");
}
