#include "base/caller_log.h"

namespace vsr::base {

void CallerLog::add(LogLevel level, std::string_view line) {
  if (!callback_) return;
  const std::lock_guard lock(mutex_);
  if (waiting_.size() == kMostWaiting) {
    ++dropped_;
  } else {
    waiting_.push_back({level, std::string(line)});
  }
}

// With the lock held.
std::vector<CallerLog::Line> CallerLog::take() {
  std::vector<Line> lines;
  lines.swap(waiting_);
  if (dropped_ > 0) lines.push_back({LogLevel::kWarning, std::to_string(dropped_) + " more lines were dropped"});
  dropped_ = 0;
  return lines;
}

void CallerLog::pass_on() {
  std::unique_lock lock(mutex_);
  if (is_passing_on_) return;
  is_passing_on_ = true;
  for (std::vector<Line> lines = take(); !lines.empty(); lines = take()) {
    lock.unlock();
    for (const Line& line : lines) callback_(line.level, line.text);
    lock.lock();
  }
  is_passing_on_ = false;
}

}  // namespace vsr::base
