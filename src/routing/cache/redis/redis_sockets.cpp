#include "routing/cache/redis/redis_sockets.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>

namespace vsr::routing {
namespace {

using Clock = std::chrono::steady_clock;

// Waits for a connection that has begun. Returns an errno, 0 for success.
int await_connection(int fd, int64_t timeout_ms) {
  const auto end = Clock::now() + std::chrono::milliseconds(timeout_ms);
  pollfd waited{fd, POLLOUT, 0};
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
    const int ready = ::poll(&waited, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (ready == 0) return ETIMEDOUT;
    if (ready > 0) break;
    if (errno != EINTR) return errno;
  }
  int error = 0;
  socklen_t size = sizeof error;
  return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

int connect_within(int fd, const sockaddr* address, socklen_t size, int64_t timeout_ms) {
  if (::connect(fd, address, size) == 0) return 0;
  return errno == EINPROGRESS || errno == EINTR ? await_connection(fd, timeout_ms) : errno;
}

}  // namespace

RedisSockets::RedisSockets()
    : hooks_({.before_fork = [this] { mutex_.lock(); },
              .after_fork_in_parent = [this] { mutex_.unlock(); },
              .after_fork_in_child =
                  [this] {
                    for (const int fd : open_) ::close(fd);
                    open_.clear();
                    mutex_.unlock();
                  },
              .before_exit =
                  [this] {
                    const std::lock_guard lock(mutex_);
                    for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);  // ends what waits there
                  }}) {}

int RedisSockets::open_one(int family, const sockaddr* address, socklen_t size, int64_t timeout_ms,
                           std::string& error) {
  int fd = -1;
  {
    const std::lock_guard lock(mutex_);  // a fork sees none that is not listed
    fd = ::socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0) open_.insert(fd);
  }
  int failed = fd < 0 ? errno : connect_within(fd, address, size, timeout_ms);
  const int on = 1;
  if (failed == 0 && ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK) != 0) failed = errno;
  if (failed == 0 && family != AF_UNIX) ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (failed == 0) return fd;
  if (fd >= 0) close(fd);
  error = failed == ETIMEDOUT ? "timed out" : std::strerror(failed);
  return -1;
}

int RedisSockets::open(const RedisAddress& address, int64_t timeout_ms, std::string& error) {
  if (!address.socket.empty()) {
    sockaddr_un local{};
    local.sun_family = AF_UNIX;
    if (address.socket.size() >= sizeof local.sun_path) {
      error = "the path of the socket is too long";
      return -1;
    }
    std::memcpy(local.sun_path, address.socket.data(), address.socket.size());
    return open_one(AF_UNIX, reinterpret_cast<const sockaddr*>(&local), sizeof local, timeout_ms, error);
  }
  addrinfo hints{}, *first = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  const int unknown = ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &first);
  if (unknown != 0) {
    error = ::gai_strerror(unknown);
    return -1;
  }
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> all(first, &::freeaddrinfo);
  for (const addrinfo* one = first; one != nullptr; one = one->ai_next) {
    const int fd = open_one(one->ai_family, one->ai_addr, one->ai_addrlen, timeout_ms, error);
    if (fd >= 0) return fd;
  }
  return -1;
}

bool RedisSockets::close(int fd) {
  const std::lock_guard lock(mutex_);
  if (open_.erase(fd) == 0) return false;
  ::close(fd);
  return true;
}

}  // namespace vsr::routing
