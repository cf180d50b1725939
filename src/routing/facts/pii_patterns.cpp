#include "routing/facts/pii_patterns.h"

#include <utility>

namespace vsr::routing {
std::vector<PiiEntity> scan_pii_patterns(std::string_view text) {
  std::vector<PiiEntity> entities;
  scan_numbers(text, entities);
  scan_ibans(text, entities);
  scan_network(text, entities);
  return merge_entities(std::move(entities));
}

}  // namespace vsr::routing
