// Lines for a callback of the host. A host may hold a lock while it waits for the library that its callback needs too
// (Python's GIL), so threads of the library only leave their lines here, and threads that call pass them on.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.h"

namespace vsr::base {

// Thread-safe.
class CallerLog {
 public:
  static constexpr size_t kMostWaiting = 256;

  explicit CallerLog(LogSink callback) : callback_(std::move(callback)) {}

  // What comes while kMostWaiting lines wait is counted and dropped.
  void add(LogLevel level, std::string_view line);
  // Passes on what waits, in order, on this thread. Where another one is at it, that one does.
  void pass_on();

 private:
  struct Line {
    LogLevel level;
    std::string text;
  };
  std::vector<Line> take();

  const LogSink callback_;
  std::mutex mutex_;  // of all below
  std::vector<Line> waiting_;
  size_t dropped_ = 0;
  bool is_passing_on_ = false;
};

}  // namespace vsr::base
