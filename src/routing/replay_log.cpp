#include "routing/replay_log.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/characters.h"
#include "base/utf8.h"

namespace vsr::routing {
namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Whole characters, at most `most` bytes; 0: all.
std::string_view cut(std::string_view text, size_t most) {
  if (most == 0 || text.size() <= most) return text;
  most = base::floor_boundary(text, most);
  return text.substr(0, most);
}

}  // namespace

ReplayLog::ReplayLog(const RouterConfig& config) { follow(config); }

void ReplayLog::follow(const RouterConfig& config) {
  const std::scoped_lock lock(mutex_);
  plugins_.clear();
  for (const Decision& decision : config.decisions) {
    if (decision.plugins.replay) plugins_.emplace(decision.name, *decision.plugins.replay);
  }
  shrink();
}

void ReplayLog::shrink() {
  const auto counts = counts_;
  for (const auto& [decision, count] : counts) {
    const auto plugin = plugins_.find(decision);
    const size_t most = plugin == plugins_.end() ? 0 : plugin->second.max_records;
    while (counts_[decision] > most) drop_oldest(decision);
  }
  while (bytes_ > kMostBytes && !records_.empty()) drop(records_.begin());
}

uint64_t ReplayLog::add(const Routed& routed, std::string_view request) {
  if (!routed.decision) return 0;
  std::optional<ReplayPlugin> found;
  {
    const std::scoped_lock lock(mutex_);
    const auto of_decision = plugins_.find(*routed.decision);
    if (of_decision == plugins_.end()) return 0;
    found = of_decision->second;
  }
  const ReplayPlugin& plugin = *found;
  Json json = {{"decision", *routed.decision}, {"outcome", outcome_name(routed.outcome)}};
  if (routed.model) json["model"] = *routed.model;
  if (routed.lora) json["lora"] = *routed.lora;
  json["confidence"] = routed.confidence;
  json["signals"] = Json::array();
  for (const EvaluatedSignal& signal : routed.signals) {
    json["signals"].push_back({{"name", signal.name},
                               {"matched", signal.value.matched},
                               {"confidence", signal.value.confidence},
                               {"value", signal.value.value}});
  }
  json["request_bytes"] = request.size();
  if (plugin.capture_request) json["request"] = cut(request, plugin.max_body_bytes);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  Record record{.id = 0,
                .time_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count(),
                .decision = *routed.decision,
                .text = dumped(json)};
  const std::scoped_lock lock(mutex_);
  record.id = next_++;
  const uint64_t id = record.id;
  bytes_ += record.text.size();
  records_.push_back(std::move(record));
  ++counts_[*routed.decision];
  shrink();
  return id;
}

void ReplayLog::drop_oldest(const std::string& decision) {
  drop(std::find_if(records_.begin(), records_.end(), [&](const Record& each) { return each.decision == decision; }));
}

void ReplayLog::drop(std::deque<Record>::iterator record) {
  bytes_ -= record->text.size() + record->response.size();
  --counts_[record->decision];
  ++dropped_;
  records_.erase(record);
}

void ReplayLog::add_response(uint64_t id, std::string_view response) {
  const std::scoped_lock lock(mutex_);
  const auto record = std::lower_bound(records_.begin(), records_.end(), id,
                                       [](const Record& each, uint64_t at) { return each.id < at; });
  if (record == records_.end() || record->id != id || record->response_bytes != 0) return;
  record->response_bytes = response.size();
  const auto plugin = plugins_.find(record->decision);
  if (plugin == plugins_.end() || !plugin->second.capture_response) return;
  record->response = cut(response, plugin->second.max_body_bytes);
  bytes_ += record->response.size();
}

std::string ReplayLog::json() const {
  const std::scoped_lock lock(mutex_);
  std::string text = "{\"records\":[";
  for (const Record& record : records_) {
    if (text.back() != '[') text += ",";
    text += "{\"id\":" + std::to_string(record.id) + ",\"time\":" + std::to_string(record.time_ms) + "," +
            record.text.substr(1, record.text.size() - 2);
    if (record.response_bytes > 0) text += ",\"response_bytes\":" + std::to_string(record.response_bytes);
    if (!record.response.empty()) text += ",\"response\":" + dumped(Json(record.response));
    text += "}";
  }
  return text + "],\"dropped\":" + std::to_string(dropped_) + "}";
}

}  // namespace vsr::routing
