#include "routing/cache/redis/redis_client.h"

#include <hiredis/hiredis.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "routing/cache/redis/sigpipe_guard.h"

namespace vsr::routing {
namespace {

constexpr size_t kMaxIdle = 8;
constexpr int64_t kShortestPauseMs = 100, kLongestPauseMs = 2000;
// Errors by which a server says that it cannot serve at all, and not that a command was wrong.
constexpr std::array<std::string_view, 7> kUnavailable = {"LOADING",   "MASTERDOWN",  "NOAUTH", "NOPERM",
                                                          "WRONGPASS", "CLUSTERDOWN", "BUSY"};

int64_t steady_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

timeval timeval_of(int64_t ms) {
  ms = std::max<int64_t>(ms, 1);
  return {static_cast<time_t>(ms / 1000), static_cast<suseconds_t>(ms % 1000 * 1000)};
}

std::string error_of(const redisContext& context) {
  // hiredis reports a socket's timeout as EAGAIN.
  if (context.err == REDIS_ERR_IO && (errno == EAGAIN || errno == ETIMEDOUT)) return "timed out";
  return context.errstr;
}

constexpr int kMaxElements = 1 << 16;

bool is_unavailable(std::string_view error) {
  return std::any_of(kUnavailable.begin(), kUnavailable.end(),
                     [&](std::string_view word) { return error.starts_with(word); });
}

}  // namespace

redisReplyObjectFunctions* bounded_reply_functions() {
  static const redisReplyObjectFunctions defaults = [] {
    redisReader* reader = redisReaderCreate();
    const redisReplyObjectFunctions functions = *reader->fn;
    redisReaderFree(reader);
    return functions;
  }();
  static redisReplyObjectFunctions bounded = [] {
    redisReplyObjectFunctions functions = defaults;
    functions.createArray = [](const redisReadTask* task, int elements) -> void* {
      return elements > kMaxElements ? nullptr : defaults.createArray(task, elements);
    };
    return functions;
  }();
  return &bounded;
}

void RedisReplyDeleter::operator()(redisReply* reply) const { freeReplyObject(reply); }
void RedisClient::Close::operator()(redisContext* context) const {
  sockets->close(context->fd);
  context->fd = -1;  // for hiredis: there is nothing to close
  redisFree(context);
}

std::optional<std::string_view> RedisReplyView::text() const {
  if (reply_ == nullptr || (reply_->type != REDIS_REPLY_STRING && reply_->type != REDIS_REPLY_STATUS)) {
    return std::nullopt;
  }
  return std::string_view(reply_->str, reply_->len);
}

std::string_view RedisReplyView::error() const {
  if (reply_ == nullptr || reply_->type != REDIS_REPLY_ERROR) return {};
  return reply_->len == 0 ? std::string_view("error without a text") : std::string_view(reply_->str, reply_->len);
}

size_t RedisReplyView::size() const {
  return reply_ == nullptr || reply_->type != REDIS_REPLY_ARRAY ? 0 : reply_->elements;
}

RedisReplyView RedisReplyView::operator[](size_t index) const {
  return RedisReplyView(index < size() ? reply_->element[index] : nullptr);
}

RedisClient::RedisClient(RedisAddress address, int64_t connect_timeout_ms, size_t max_reply_bytes, base::LogSink log)
    : address_(std::move(address)),
      connect_timeout_ms_(connect_timeout_ms),
      max_reply_bytes_(max_reply_bytes),
      log_(std::move(log)),
      breaker_(kShortestPauseMs, kLongestPauseMs) {}

RedisClient::~RedisClient() = default;

RedisClient::Connection RedisClient::connect(std::string& error, int64_t timeout_ms) {
  int fd = -1;
  {
    const base::TurnPause pause;
    fd = sockets_.open(address_, connect_timeout_ms_, error);
  }
  if (fd < 0) return nullptr;
  Connection connection(redisConnectFd(fd), Close{&sockets_});
  if (connection == nullptr) {
    sockets_.close(fd);
    error = "out of memory";
    return nullptr;
  }
  connection->reader->fn = bounded_reply_functions();
  RedisCommands greeting;
  if (!address_.password.empty()) {
    greeting.push_back({"AUTH"});
    if (!address_.user.empty()) greeting.back().push_back(address_.user);
    greeting.back().push_back(address_.password);
  }
  if (address_.database != 0) greeting.push_back({"SELECT", std::to_string(address_.database)});
  if (greeting.empty()) return connection;
  const Attempt attempt = exchange(*connection, greeting, timeout_ms);
  error = attempt.error;
  for (const RedisReply& reply : attempt.replies) {
    if (error.empty()) error = RedisReplyView(reply.get()).error();
  }
  return error.empty() ? std::move(connection) : nullptr;
}

// hiredis' own loop knows neither an end in time nor one in size.
RedisClient::Attempt RedisClient::exchange(redisContext& connection, const RedisCommands& commands,
                                           int64_t timeout_ms) const {
  const base::TurnPause pause;
  const SigpipeGuard no_sigpipe;
  Attempt attempt;
  const int64_t deadline = steady_ms() + timeout_ms;
  redisSetTimeout(&connection, timeval_of(timeout_ms));
  for (const RedisCommand& command : commands) {
    std::vector<const char*> words;
    std::vector<size_t> sizes;
    for (const std::string& word : command) {
      words.push_back(word.data());
      sizes.push_back(word.size());
    }
    redisAppendCommandArgv(&connection, static_cast<int>(words.size()), words.data(), sizes.data());
  }
  int written = 0;
  while (written == 0) {
    if (redisBufferWrite(&connection, &written) != REDIS_OK)
      return attempt.error = error_of(connection), std::move(attempt);
    if (written == 0 && steady_ms() > deadline) return attempt.error = "timed out", std::move(attempt);
  }
  size_t received = 0;
  while (attempt.replies.size() < commands.size()) {
    void* reply = nullptr;
    if (redisGetReplyFromReader(&connection, &reply) != REDIS_OK) {
      return attempt.error = error_of(connection), std::move(attempt);
    }
    if (reply != nullptr) {
      attempt.replies.emplace_back(static_cast<redisReply*>(reply));
      continue;
    }
    if (steady_ms() > deadline) return attempt.error = "timed out", std::move(attempt);
    const size_t before = connection.reader->len;
    if (redisBufferRead(&connection) != REDIS_OK) return attempt.error = error_of(connection), std::move(attempt);
    received += connection.reader->len - std::min(before, connection.reader->len);
    if (received > max_reply_bytes_) return attempt.error = "reply is too large", std::move(attempt);
  }
  return attempt;
}

RedisClient::Connection RedisClient::idle_connection() {
  const std::lock_guard lock(mutex_);
  if (generation_ != base::fork_generation()) {
    generation_ = base::fork_generation();
    idle_.clear();
  }
  if (idle_.empty()) return {};
  Connection connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

std::optional<std::vector<RedisReply>> RedisClient::succeed(Connection connection, std::vector<RedisReply> replies) {
  const bool first = !connected_.exchange(true);
  if (breaker_.success() || first) {
    base::log(log_, base::LogLevel::kInfo, "redis at ", address_.without_password(), " is in use");
  }
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kMaxIdle) idle_.push_back(std::move(connection));
  return replies;
}

void RedisClient::failed(const std::string& error) {
  ++failures_;
  const bool changed = breaker_.failure(steady_ms());
  {
    const std::lock_guard lock(mutex_);
    last_error_ = error;
    idle_.clear();  // connections to a server that is gone or hangs
  }
  if (changed) {
    base::log(log_, base::LogLevel::kWarning, "redis at ", address_.without_password(), ": ", error,
              "; the cache goes on with memory alone");
  }
}

std::optional<std::vector<RedisReply>> RedisClient::run(const RedisCommands& commands, int64_t timeout_ms) {
  if (base::is_ending() || !breaker_.allow(steady_ms())) return std::nullopt;
  Attempt attempt;
  Connection connection = idle_connection();
  const bool reused = connection != nullptr;
  if (reused) attempt = exchange(*connection, commands, timeout_ms);
  // An idle connection may have been closed by a server that is there again.
  if (!reused || (!attempt.error.empty() && attempt.error != "timed out")) {
    attempt = {};
    connection = connect(attempt.error, timeout_ms);
    if (connection != nullptr) attempt = exchange(*connection, commands, timeout_ms);
  }
  for (const RedisReply& reply : attempt.replies) {
    const std::string_view error = RedisReplyView(reply.get()).error();
    if (attempt.error.empty() && is_unavailable(error)) attempt.error = error;
  }
  if (attempt.error.empty()) return succeed(std::move(connection), std::move(attempt.replies));
  if (!base::is_ending()) failed(attempt.error);  // exit() ended it
  return std::nullopt;
}

std::string RedisClient::last_error() const {
  const std::lock_guard lock(mutex_);
  return last_error_;
}

}  // namespace vsr::routing
