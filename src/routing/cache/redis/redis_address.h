// Where a Redis is.
#pragma once

#include <string>

namespace vsr::routing {

struct RedisAddress {
  std::string host = {};
  int port = 6379;
  std::string socket = {};  // a path, instead of host and port
  std::string user = {}, password = {};
  int database = 0;

  // "host", "host:port", "[::1]:6379", "/path/of/socket", "unix:/path",
  // "redis://[user:password@]host[:port][/database]". Throws kInvalidArgument, or kUnsupported for rediss:// (TLS).
  // Messages never quote a password.
  static RedisAddress parse(const std::string& text);
  std::string without_password() const;
};

}  // namespace vsr::routing
