#include "routing/config/domains.h"

#include "base/ascii.h"

namespace vsr::routing {

const std::vector<std::string_view>& mmlu_domains() {
  static const std::vector<std::string_view> domains = {
      "biology", "business", "chemistry", "computer science", "economics", "engineering", "health", "history",
      "law",     "math",     "other",     "philosophy",       "physics",   "psychology"};
  return domains;
}

std::string canonical_domain(std::string_view name) {
  std::string canonical(name);
  for (char& c : canonical) {
    c = c == '_' ? ' ' : base::ascii_lower(c);
  }
  return canonical;
}

}  // namespace vsr::routing
