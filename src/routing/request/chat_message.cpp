#include "routing/request/chat_message.h"

#include "base/ascii.h"

namespace vsr::routing {

bool is_system_role(std::string_view role) {
  const std::string lower = base::ascii_lower(role);
  return lower == "system" || lower == "developer";
}

}  // namespace vsr::routing
