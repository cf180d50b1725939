// A real redis-server of one test, on a socket in a folder of its own.
#pragma once

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

#include "support/data.h"
#include "support/temp_folder.h"

namespace vsr::test {

// Waits until a condition holds; false after 20 seconds, which only a broken thing takes.
template <class Condition>
bool eventually(Condition&& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

class RedisServer {
 public:
  // Whether there is such a program; else the test case is counted as skipped.
  static bool present() {
    const bool found = std::system("command -v redis-server > /dev/null 2>&1") == 0;
    if (!found) skip("no redis-server (hint: scripts/bootstrap.sh installs it)");
    return found;
  }

  RedisServer() { start(); }
  ~RedisServer() { kill(); }
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  std::string socket() const { return folder_ / "s"; }

  void start() {
    const std::string socket_path = socket(), dir = folder_.path().string();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::execlp("redis-server", "redis-server", "--port", "0", "--unixsocket", socket_path.c_str(), "--save", "",
               "--appendonly", "no", "--dir", dir.c_str(), "--logfile", (dir + "/log").c_str(),
               static_cast<char*>(nullptr));
      ::_exit(127);
    }
    if (!eventually([&] { return answers(); })) throw std::runtime_error("redis-server does not start");
  }

  // As when the machine goes: without a word.
  void kill() { end(SIGKILL); }
  void pause() { ::kill(pid_, SIGSTOP); }
  void resume() { ::kill(pid_, SIGCONT); }

 private:
  void end(int signal) {
    if (pid_ <= 0) return;
    ::kill(pid_, signal);
    ::waitpid(pid_, nullptr, 0);
    ::unlink(socket().c_str());
    pid_ = -1;
  }

  bool answers() const {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket().c_str(), sizeof address.sun_path - 1);
    const bool connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return connected;
  }

  TempFolder folder_;
  pid_t pid_ = -1;
};

}  // namespace vsr::test
