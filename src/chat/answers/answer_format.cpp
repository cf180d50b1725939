#include "chat/answers/answer_format.h"

#include <array>

namespace vsr::chat {

std::string_view lane_field_name(LaneField field) {
  static constexpr std::array<std::string_view, 4> kNames{"text", "refusal", "reasoning", "tool"};
  return kNames[static_cast<size_t>(field)];
}

std::string dump_json(const Json& data) { return data.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string sse_event(std::string_view type, const Json& data) {
  std::string event;
  if (!type.empty()) event.append("event: ").append(type).append("\n");
  return event.append("data: ").append(dump_json(data)).append("\n\n");
}

}  // namespace vsr::chat
