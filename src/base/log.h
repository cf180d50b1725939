// Where messages go: the library itself never prints.
#pragma once

#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace vsr::base {

enum class LogLevel : int32_t { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3 };

// One line, valid during the call. Called from any thread, also from several at once and from threads of the library;
// must not throw and should return soon. An empty sink drops everything. For callbacks of hosts see base/caller_log.h.
using LogSink = std::function<void(LogLevel level, std::string_view message)>;

// Joins the parts as a stream would, if anyone listens.
template <class... Parts>
void log(const LogSink& sink, LogLevel level, const Parts&... parts) {
  if (!sink) return;
  std::ostringstream message;
  (message << ... << parts);
  sink(level, message.str());
}

}  // namespace vsr::base
