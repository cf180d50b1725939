#include "guard/event.h"

#include <array>

namespace vsr::guard {

std::string_view event_kind_name(EventKind kind) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "number",     "date",     "amount",        "unit",        "percent", "name",
      "identifier", "negation", "contradiction", "unsupported", "pii",     "jailbreak"};
  return kNames.at(static_cast<size_t>(kind));
}

}  // namespace vsr::guard
