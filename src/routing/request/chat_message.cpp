#include "routing/request/chat_message.h"

#include <algorithm>

#include "base/ascii.h"

namespace vsr::routing {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

}  // namespace

bool is_system_role(std::string_view role) {
  const size_t begin = std::min(role.find_first_not_of(kSpace), role.size());
  const size_t end = role.find_last_not_of(kSpace) + 1;
  const std::string lower = base::ascii_lower(role.substr(begin, std::max(begin, end) - begin));
  return lower == "system" || lower == "developer" || lower == "platform" || lower == "root";
}

}  // namespace vsr::routing
