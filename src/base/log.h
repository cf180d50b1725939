// Where messages go: the library itself never prints.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/text_stream.h"

namespace vsr::base {

enum class LogLevel : int32_t { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3 };

// One line, valid during the call. Called from any thread, also from several at once and from threads of the library;
// must not throw and should return soon. An empty sink drops everything. For callbacks of hosts see base/caller_log.h.
using LogSink = std::function<void(LogLevel level, std::string_view message)>;

// Joins the parts (base/text_stream.h), if anyone listens.
template <class... Parts>
void log(const LogSink& sink, LogLevel level, const Parts&... parts) {
  if (!sink) return;
  sink(level, text_of(parts...));
}

}  // namespace vsr::base
