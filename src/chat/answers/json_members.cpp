#include "chat/answers/json_members.h"

#include <algorithm>
#include <array>

namespace vsr::chat {

bool is_error(const Node& object) {
  constexpr std::array<std::string_view, 11> kBeside{"code",       "error",           "event_id", "id",
                                                     "message",    "object",          "param",    "status",
                                                     "request_id", "sequence_number", "type"};
  const Node* error = find_member(object, "error");
  if (error == nullptr || error->is_null() || (error->is_structured() && error->empty())) return false;
  return std::all_of(object.items().begin(), object.items().end(), [&](const auto& member) {
    return std::find(kBeside.begin(), kBeside.end(), member.key()) != kBeside.end() &&
           (member.key() == "error" || !member.value().is_structured());
  });
}

}  // namespace vsr::chat
