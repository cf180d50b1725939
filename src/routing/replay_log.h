// The plugin `router_replay`: what was decided about the last requests, in memory.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "routing/config/router_config.h"
#include "routing/routed.h"

namespace vsr::routing {

// Thread-safe. Of each decision that has the plugin the last `max_records`, of all no more than kMostBytes. Bodies are
// kept only where the plugin asks for them, and no longer than it says.
class ReplayLog {
 public:
  static constexpr size_t kMostBytes = size_t{256} << 20;

  explicit ReplayLog(const RouterConfig& config);
  // From now on another file says which decisions have the plugin. Records of those that have it no more are dropped.
  void follow(const RouterConfig& config);
  // After a request was routed. Returns the record's number; 0: its decision has no such plugin.
  uint64_t add(const Routed& routed, std::string_view request);
  // The answer of a model, when it is known.
  void add_response(uint64_t record, std::string_view response);
  // The records, the oldest first: {"records": [{"id", "time", "decision", "model", "lora", "outcome", "confidence",
  // "signals": [{"name", "matched", "confidence", "value"}], "request", "request_bytes", "response",
  // "response_bytes"}], "dropped"}. The bodies are there only if they are kept.
  std::string json() const;

 private:
  struct Record {
    uint64_t id;
    int64_t time_ms;  // since 1970
    std::string decision;
    std::string text;  // JSON, without its last brace
    std::string response = {};
    size_t response_bytes = 0;
  };
  void shrink();
  void drop_oldest(const std::string& decision);
  void drop(std::deque<Record>::iterator record);

  std::map<std::string, ReplayPlugin> plugins_;  // by decision
  mutable std::mutex mutex_;
  std::deque<Record> records_;
  std::map<std::string, size_t> counts_;
  size_t bytes_ = 0;
  uint64_t next_ = 1;
  uint64_t dropped_ = 0;
};

}  // namespace vsr::routing
