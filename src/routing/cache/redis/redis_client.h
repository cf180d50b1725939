// Redis over hiredis, for callers who can do without it: short deadlines, bounded replies, and no word to a server that
// has just failed.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/circuit_breaker.h"
#include "base/log.h"
#include "routing/cache/redis/redis_address.h"
#include "routing/cache/redis/redis_sockets.h"

struct redisContext;
struct redisReply;
struct redisReplyObjectFunctions;

namespace vsr::routing {

// One value of a reply, borrowed. Every question may be asked of every value.
class RedisReplyView {
 public:
  explicit RedisReplyView(const redisReply* reply) : reply_(reply) {}
  std::optional<std::string_view> text() const;   // of a string or a status
  std::string_view error() const;                 // empty: it is none
  size_t size() const;                            // elements of an array; 0 for anything else
  RedisReplyView operator[](size_t index) const;  // a nil beyond the end

 private:
  const redisReply* reply_;  // null: nil
};

// With which hiredis makes replies whose arrays are bounded: an announced one takes memory before its elements arrive.
redisReplyObjectFunctions* bounded_reply_functions();

struct RedisReplyDeleter {
  void operator()(redisReply* reply) const;
};
using RedisReply = std::unique_ptr<redisReply, RedisReplyDeleter>;
using RedisCommand = std::vector<std::string>;
using RedisCommands = std::vector<RedisCommand>;

// Thread-safe; keeps a few connections, of which a child made by fork() makes its own. The name of a host is resolved
// by the system, which may take longer than the timeouts say; addresses of digits and sockets are not resolved.
class RedisClient {
 public:
  RedisClient(RedisAddress address, int64_t connect_timeout_ms, size_t max_reply_bytes, base::LogSink log);
  ~RedisClient();

  // Sends the commands together and returns one reply each, which may be errors. Nothing: Redis cannot be reached, came
  // too late, sent what is no reply, says that it cannot serve (loading, password, ...), or is being left alone.
  std::optional<std::vector<RedisReply>> run(const RedisCommands& commands, int64_t timeout_ms);

  // False between a failure and the next success.
  bool in_order() const { return breaker_.closed(); }
  // As in_order(), and false before the first success.
  bool available() const { return connected_.load() && breaker_.closed(); }
  std::string last_error() const;
  uint64_t failures() const { return failures_.load(); }
  const RedisAddress& address() const { return address_; }

 private:
  struct Close {
    RedisSockets* sockets = nullptr;
    void operator()(redisContext* context) const;
  };
  using Connection = std::unique_ptr<redisContext, Close>;
  struct Attempt {
    std::vector<RedisReply> replies;
    std::string error;  // empty: all replies are there
  };

  Connection connect(std::string& error, int64_t timeout_ms);
  Connection idle_connection();
  Attempt exchange(redisContext& connection, const RedisCommands& commands, int64_t timeout_ms) const;
  std::optional<std::vector<RedisReply>> succeed(Connection connection, std::vector<RedisReply> replies);
  void failed(const std::string& error);

  RedisAddress address_;
  int64_t connect_timeout_ms_;
  size_t max_reply_bytes_;
  base::LogSink log_;
  base::CircuitBreaker breaker_;
  std::atomic<bool> connected_{false};
  std::atomic<uint64_t> failures_{0};
  RedisSockets sockets_;
  mutable std::mutex mutex_;                       // of all below
  uint64_t generation_ = base::fork_generation();  // of the process that the idle connections belong to
  std::vector<Connection> idle_;
  std::string last_error_;
};

}  // namespace vsr::routing
