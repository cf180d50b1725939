#include "base/caller_log.h"

#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

using vsr::base::CallerLog;
using vsr::base::LogLevel;

TEST_CASE("caller log: lines of other threads reach the callback on the thread that passes them on, in order",
          "[base][caller_log]") {
  std::vector<std::string> lines;
  std::vector<std::thread::id> threads;
  CallerLog log([&](LogLevel, std::string_view line) {
    lines.emplace_back(line);
    threads.push_back(std::this_thread::get_id());
  });
  std::thread([&] {
    log.add(LogLevel::kInfo, "one");
    log.add(LogLevel::kError, "two");
  }).join();
  CHECK(lines.empty());
  log.pass_on();
  log.pass_on();
  CHECK(lines == std::vector<std::string>{"one", "two"});
  for (const std::thread::id& thread : threads) CHECK(thread == std::this_thread::get_id());
}

TEST_CASE("caller log: what is too much is counted", "[base][caller_log]") {
  std::vector<std::string> lines;
  CallerLog log([&](LogLevel, std::string_view line) { lines.emplace_back(line); });
  for (size_t i = 0; i < CallerLog::kMostWaiting + 3; ++i) log.add(LogLevel::kInfo, "x");
  log.pass_on();
  REQUIRE(lines.size() == CallerLog::kMostWaiting + 1);
  CHECK(lines.back() == "3 more lines were dropped");
}

TEST_CASE("caller log: a callback that comes back finds nothing to do, and its own lines follow",
          "[base][caller_log]") {
  std::vector<std::string> lines;
  CallerLog* self = nullptr;
  CallerLog log([&](LogLevel level, std::string_view line) {
    lines.emplace_back(line);
    if (lines.size() < 3) self->add(level, "again");
    self->pass_on();
  });
  self = &log;
  log.add(LogLevel::kInfo, "first");
  log.pass_on();
  CHECK(lines == std::vector<std::string>{"first", "again", "again"});
}
