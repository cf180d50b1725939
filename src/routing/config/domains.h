// Names of domains.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vsr::routing {

// The 14 domains of MMLU-Pro, sorted.
const std::vector<std::string_view>& mmlu_domains();
// `computer_science`, `Computer Science` and `computer science` are one domain: the last.
std::string canonical_domain(std::string_view name);

}  // namespace vsr::routing
