// The sockets of a Redis client, opened here so that a child made by fork() can close its copies (two processes on one
// connection would read each other's replies) and that exit() can end what waits on them.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "base/process.h"
#include "routing/cache/redis/redis_address.h"

namespace vsr::routing {

// Thread-safe.
class RedisSockets {
 public:
  RedisSockets();

  // A connected, blocking socket, or -1 with the reason in `error`. The name of a host is resolved first, which takes
  // as long as the system lets it.
  int open(const RedisAddress& address, int64_t timeout_ms, std::string& error);
  // False: it is not one of this process's, which closed its copy.
  bool close(int fd);

 private:
  int open_one(int family, const sockaddr* address, socklen_t size, int64_t timeout_ms, std::string& error);

  std::mutex mutex_;
  std::set<int> open_;
  base::ProcessHooks hooks_;
};

}  // namespace vsr::routing
